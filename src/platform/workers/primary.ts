import cluster, { type Worker } from 'node:cluster';
import type { Environment } from '../config/load-settings';
import type { Logger } from '../logging/logging.module';
import { createBucketSecret } from '../rate-limit/buckets';
import { GatheredCounts } from './gathered-counts';
import { isOurs, type Listening, type ToPrimary, type ToWorker } from './messages';
import { returnUndelivered } from './undelivered-connections';

/** What the primary knows of a worker that runs. */
interface Member {
  readonly worker: Worker;
  readonly bornAt: number;
  /** How often in a row those it took the place of had a short life. */
  readonly shortLives: number;
  listens: boolean;
  /** Why it cannot start, when it said so. */
  failure?: string;
}

/**
 * The process that owns the ports, hands their connections to its workers in turn, and replaces those that end. It serves
 * nothing and has no database, so that nothing a request does can end it.
 *
 * All workers load their code at once, which is most of a start; but the first then starts alone, and the others when it
 * listens. What can fail or may happen only once, migrations, ports, the first key, so happens there and is told once.
 * (Also, a primary whose workers ask at the same moment for a port that is in use throws, as of Node 24.)
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
   * @param count how many workers
   * @param follow gives the settings with which workers listen where the first one does
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
    // Node leaves it to the system on Windows, and anywhere to an environment variable.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.on('message', (worker, message: unknown) => {
      const member = this.members.get(worker.id);
      if (member && isOurs(message)) this.hear(member, message as ToPrimary);
    });
    cluster.on('exit', (worker, code, signal) => this.ended(worker.id, code, signal));
    process.on('exit', () => {
      // A failed start, a stop that takes too long, a second signal. But should only this process fail, workers finish
      // what they have begun when they see that it is gone.
      if (this.isStopping || !this.listening) this.killAll();
    });
    const [first] = Array.from({ length: this.count }, () => this.fork(0));
    if (first) this.tellToStart(first);
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
    // Not left to the settings there: `auto` could come to another number, and 1 would not make it a worker.
    const worker = cluster.fork({ WORKERS: String(this.count) });
    // Something could not be sent to it: it has just ended, which is reported by itself.
    worker.on('error', () => undefined);
    // Of workers that are killed together, the first is heard of while the last still counts as a member.
    returnUndelivered(worker, () =>
      this.listeners().some((other) => other.worker !== worker && other.worker.isConnected()),
    );
    const member = { worker, bornAt: performance.now(), shortLives: lives, listens: false };
    this.members.set(worker.id, member);
    return member;
  }

  private tellToStart(member: Member): void {
    const { environment, bucketSecret } = this;
    say(member, { petstore: 'start', environment, bucketSecret });
  }

  private hear(member: Member, message: ToPrimary): void {
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
      for (const other of this.members.values()) if (other !== member) this.tellToStart(other);
    }
    this.tellStrength();
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

  private tellStrength(): void {
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
    this.tellStrength();
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
      this.logger.error({ ...facts, reason: member.failure }, 'A worker could not start; another will try.');
    } else if (wasStopped) {
      this.logger.warn(facts, 'A worker was told to stop; another takes its place.');
    } else {
      this.logger.error(facts, 'A worker ended unexpectedly; another takes its place.');
    }
    const timer = setTimeout(() => {
      this.vacancies.delete(timer);
      this.counts.restarted();
      this.tellToStart(this.fork(lives));
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
    else this.stopped.reject(new Error(`${this.endedBadly} of the workers did not stop as they should.`));
  }

  private killAll(): void {
    for (const { worker } of this.members.values()) worker.process.kill('SIGKILL');
  }
}

function say({ worker }: Member, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}

/** A worker that lived this long, in milliseconds, ended for a reason of its own and not for that of the one before. */
const LONG_LIFE_MS = 60_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;

/** How often in a row a worker's place fell vacant after a short life. */
export function shortLives(before: number, livedMs: number): number {
  return livedMs >= LONG_LIFE_MS ? 0 : before + 1;
}

/** How long a place stays vacant, in milliseconds: twice as long each time, so that a fault that comes back costs little. */
export function restartDelayMs(lives: number): number {
  return lives === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (lives - 1), LONGEST_DELAY_MS);
}
