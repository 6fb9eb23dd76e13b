import cluster, { type Worker } from 'node:cluster';
import type { Environment } from '../config/load-settings';
import type { Logger } from '../logging/logging.module';
import { createBucketSecret } from '../rate-limit/buckets';
import { GatheredCounts } from './gathered-counts';
import { isOurs, type Listening, type ToPrimary, type ToWorker } from './messages';
import { returnUndelivered } from './undelivered-connections';

/** State of a running worker in the primary. */
interface Member {
  readonly worker: Worker;
  readonly bornAt: number;
  /** Workers in a row before this one, in the same place, that had a short life. */
  readonly shortLives: number;
  listens: boolean;
  /** Reason why the worker cannot start, if it has reported one. */
  failure?: string;
}

/**
 * The process that owns the ports, hands their connections to its workers in turn, and replaces workers that end. It serves
 * nothing and has no database, so that nothing a request does can end it.
 *
 * All workers load their code at once, which is most of a start; but the first then starts alone, and the others when it
 * listens. So steps that can fail or may happen only once (migrations, ports, the first key) happen there and are reported
 * once. (Also, a primary whose workers ask at the same moment for a port that is in use throws, as of Node 24.)
 */
export class Primary {
  private readonly members = new Map<number, Member>();
  private readonly vacancies = new Set<NodeJS.Timeout>();
  private readonly started = Promise.withResolvers<Listening>();
  private readonly stopped = Promise.withResolvers<void>();
  private readonly counts = new GatheredCounts((round) => this.askForCounts(round));
  private readonly bucketSecret = createBucketSecret();
  private listening: Listening | undefined;
  private environment: Environment = {};
  private isStopping = false;
  private endedBadly = 0;

  /**
   * @param count number of workers
   * @param follow returns the settings with which further workers listen where the first one does
   */
  constructor(
    private readonly count: number,
    private readonly logger: Logger,
    private readonly follow: (first: Listening) => Environment,
  ) {}

  /**
   * Starts the workers, and resolves when each of them listens.
   *
   * @throws Error with one sentence for the operator when the first cannot start; the others are tried again
   */
  start(): Promise<Listening> {
    // Otherwise Node leaves the choice to the system on Windows, and to an environment variable anywhere.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.on('message', (worker, message: unknown) => {
      const member = this.members.get(worker.id);
      if (member && isOurs(message)) this.onMessage(member, message as ToPrimary);
    });
    cluster.on('exit', (worker, code, signal) => this.ended(worker.id, code, signal));
    process.on('exit', () => {
      // After a failed start, a stop that takes too long, or a second signal, the workers end too. If only this process fails,
      // they finish their work when they see that it is gone.
      if (this.isStopping || !this.listening) this.killAll();
    });
    const [first] = Array.from({ length: this.count }, () => this.fork(0));
    if (first) this.sendStart(first);
    return this.started.promise;
  }

  /**
   * Tells every worker to stop, and resolves when all have.
   *
   * @throws Error when one of them did not end well
   */
  stop(): Promise<void> {
    this.isStopping = true;
    this.vacancies.forEach((timer) => clearTimeout(timer));
    for (const member of this.members.values()) say(member, { petstore: 'stop' });
    this.stopWhenAlone();
    return this.stopped.promise;
  }

  private fork(lives: number): Member {
    // Not left to the settings of the worker: `auto` could mean another number there, and 1 would not make it a worker.
    const worker = cluster.fork({ WORKERS: String(this.count) });
    // A message could not be sent to the worker: it has just ended, which is reported by itself.
    worker.on('error', () => undefined);
    // When workers are killed together, the end of the first is reported while the last still counts as a member.
    returnUndelivered(worker, () =>
      this.listeners().some((other) => other.worker !== worker && other.worker.isConnected()),
    );
    const member = { worker, bornAt: performance.now(), shortLives: lives, listens: false };
    this.members.set(worker.id, member);
    return member;
  }

  private sendStart(member: Member): void {
    const { environment, bucketSecret } = this;
    say(member, { petstore: 'start', environment, bucketSecret });
  }

  private onMessage(member: Member, message: ToPrimary): void {
    const { id } = member.worker;
    switch (message.petstore) {
      case 'listening':
        return this.listens(member, message.listening);
      case 'failed':
        member.failure = message.reason;
        return;
      case 'scrape':
        void this.scrape(member, message.scrape);
        return;
      case 'counted':
        this.counts.told(id, message.round, message.counts);
    }
  }

  private listens(member: Member, listening: Listening): void {
    member.listens = true;
    this.logger.info({ worker: member.worker.id, pid: member.worker.process.pid }, 'A worker is listening.');
    if (!this.listening) {
      this.listening = listening;
      this.environment = this.follow(listening);
      for (const other of this.members.values()) if (other !== member) this.sendStart(other);
    }
    this.broadcastStrength();
    this.startedWhenComplete();
  }

  private async scrape(member: Member, scrape: number): Promise<void> {
    say(member, { petstore: 'scraped', scrape, text: await this.counts.text() });
  }

  private askForCounts(round: number): number[] {
    const listeners = this.listeners();
    for (const member of listeners) say(member, { petstore: 'count', round });
    return listeners.map(({ worker }) => worker.id);
  }

  private broadcastStrength(): void {
    const listeners = this.listeners();
    for (const member of listeners) say(member, { petstore: 'strength', listening: listeners.length });
  }

  private listeners(): Member[] {
    return [...this.members.values()].filter(({ listens }) => listens);
  }

  private ended(id: number, code: number | null, signal: string | null): void {
    const member = this.members.get(id);
    if (!member) return;
    this.members.delete(id);
    this.counts.ended(id);
    this.broadcastStrength();
    const how = signal ?? `exit code ${code}`;
    if (!this.listening && (!this.isStopping || member.failure !== undefined)) {
      this.started.reject(new Error(member.failure ?? `A worker ended while it started, by ${how}.`));
    } else if (this.isStopping) {
      if (code !== 0) this.endedBadly += 1;
      this.stopWhenAlone();
    } else {
      this.replace(member, how, code === 0);
      this.startedWhenComplete();
    }
  }

  private replace(member: Member, how: string, wasStopped: boolean): void {
    const lives = shortLives(member.shortLives, performance.now() - member.bornAt);
    const delayMs = restartDelayMs(lives);
    const facts = { worker: member.worker.id, pid: member.worker.process.pid, how, delayMs };
    if (member.failure !== undefined) {
      this.logger.error(
        { ...facts, reason: member.failure },
        'A worker could not start; another will be started.',
      );
    } else if (wasStopped) {
      this.logger.warn(facts, 'A worker was told to stop; another replaces it.');
    } else {
      this.logger.error(facts, 'A worker ended unexpectedly; another replaces it.');
    }
    const timer = setTimeout(() => {
      this.vacancies.delete(timer);
      this.counts.restarted();
      this.sendStart(this.fork(lives));
    }, delayMs);
    this.vacancies.add(timer);
  }

  private startedWhenComplete(): void {
    const listen = [...this.members.values()].every(({ listens }) => listens);
    if (this.listening && listen) this.started.resolve(this.listening);
  }

  private stopWhenAlone(): void {
    if (this.members.size > 0) return;
    if (this.endedBadly === 0) this.stopped.resolve();
    else this.stopped.reject(new Error(`${this.endedBadly} of the workers did not stop properly.`));
  }

  private killAll(): void {
    for (const { worker } of this.members.values()) worker.process.kill('SIGKILL');
  }
}

function say({ worker }: Member, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}

/** Milliseconds of life after which a worker's end counts as one of its own, not as a repetition of the last. */
const LONG_LIFE_MS = 60_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;

/** Returns the number of short lives in a row after which a worker's place is vacant. */
export function shortLives(before: number, livedMs: number): number {
  return livedMs >= LONG_LIFE_MS ? 0 : before + 1;
}

/** Returns the milliseconds for which a place stays vacant: twice as long each time, so that a recurring fault costs little. */
export function restartDelayMs(lives: number): number {
  return lives === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (lives - 1), LONGEST_DELAY_MS);
}
