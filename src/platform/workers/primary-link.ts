import cluster, { type Worker } from 'node:cluster';
import { isOurs, type ToPrimary, type ToWorker } from './messages';

type Told<Kind extends ToWorker['petstore']> = Extract<ToWorker, { petstore: Kind }>;

/** A worker's side of the channel to its primary. */
export class PrimaryLink {
  private readonly worker: Worker;
  private readonly handlers = new Map<string, (message: never) => void>();

  /** @throws Error in a process that is not a worker */
  constructor() {
    if (!cluster.worker) throw new Error('This process is not a worker.');
    this.worker = cluster.worker;
    process.on('message', (message: unknown) => {
      if (isOurs(message)) this.handlers.get(message.petstore)?.(message as never);
    });
  }

  /** Tells whether this process is a worker. */
  static isWorker(): boolean {
    return cluster.isWorker;
  }

  /** Number of this worker, from 1; one that takes the place of another has a number of its own. */
  get number(): number {
    return this.worker.id;
  }

  /** Sets the handler of a kind of message from the primary. */
  on<Kind extends ToWorker['petstore']>(kind: Kind, handler: (message: Told<Kind>) => void): void {
    this.handlers.set(kind, handler);
  }

  /** Sets the handler for the loss of the primary. */
  onGone(handler: () => void): void {
    this.worker.on('disconnect', () => {
      // Without this, Node ends the process here, and with it the requests under way.
      this.worker.exitedAfterDisconnect = true;
      handler();
    });
  }

  /** Sends a message; resolves when it has been sent, or when the primary is gone. */
  say(message: ToPrimary): Promise<void> {
    return new Promise((sent) => {
      if (process.connected) process.send?.(message, undefined, {}, () => sent());
      else sent();
    });
  }
}
