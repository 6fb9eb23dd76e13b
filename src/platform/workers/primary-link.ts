import cluster, { type Worker } from 'node:cluster';
import type { Environment } from '../config/load-settings';
import { isOurs, type Listening, type ToPrimary, type ToWorker } from './messages';

/** A worker's side of the channel to its primary. */
export class PrimaryLink {
  /** Resolves when the primary wants this worker to start, with settings that take precedence over those it finds. */
  readonly mayStart: Promise<Environment>;
  private readonly worker: Worker;

  /**
   * @param onStop called when the primary wants this worker to stop, or is gone; perhaps more than once
   * @throws Error in a process that is no worker
   */
  constructor(onStop: () => void) {
    if (!cluster.worker) throw new Error('This process is no worker.');
    this.worker = cluster.worker;
    const { promise, resolve } = Promise.withResolvers<Environment>();
    this.mayStart = promise;
    process.on('message', (message: unknown) => {
      if (!isOurs(message)) return;
      const told = message as ToWorker;
      if (told.petstore === 'start') resolve(told.environment);
      else onStop();
    });
    this.worker.on('disconnect', () => {
      // Without this Node ends the process here, and with it the requests under way.
      this.worker.exitedAfterDisconnect = true;
      onStop();
    });
  }

  /** Whether this process is a worker. */
  static isWorker(): boolean {
    return cluster.isWorker;
  }

  /** Number of this worker, from 1; one that takes the place of another has a number of its own. */
  get number(): number {
    return this.worker.id;
  }

  /** Tells that this worker serves. */
  listens(listening: Listening): void {
    this.say({ petstore: 'listening', listening });
  }

  /** Tells why this worker cannot start; resolves when that has been sent. */
  fails(reason: string): Promise<void> {
    return new Promise((sent) => this.say({ petstore: 'failed', reason }, () => sent()));
  }

  private say(message: ToPrimary, sent: () => void = () => undefined): void {
    if (process.connected) process.send?.(message, undefined, {}, sent);
    else sent();
  }
}
