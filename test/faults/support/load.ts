import { PetWriters } from '../../support/samples/pet-writers';
import type { ServiceProcess } from '../../support/processes/service-process';
import { until } from '../../support/until';
import { ResponseCount } from './responses';
import { PetReaders } from './readers';

const WRITERS = 8;
const READERS = 4;

/** Clients that read and write at once while something is done to the service. */
export class Load {
  /** 409 is for who repeats what the database is still undoing. */
  readonly responses = new ResponseCount([409, 503]);
  readonly writers: PetWriters;
  private readonly readers: PetReaders;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    readonly service: ServiceProcess,
    key: string,
  ) {
    this.writers = new PetWriters(key, true);
    this.readers = new PetReaders(key);
    this.writers.onResponse = this.responses.note;
    this.readers.onResponse = this.responses.note;
  }

  /** Begins, or begins again. */
  start(): void {
    this.running = Promise.all([
      this.writers.run(this.service, WRITERS),
      this.readers.run(this.service, READERS),
    ]);
  }

  /** Waits until so many more pets are acknowledged. @returns how long that took, in milliseconds */
  async progress(pets: number): Promise<number> {
    const start = performance.now();
    const enough = this.writers.acknowledged.size + pets;
    await this.until(() => this.writers.acknowledged.size >= enough);
    return performance.now() - start;
  }

  /** Waits until so many more responses had this status. */
  async more(status: number, count: number): Promise<void> {
    const enough = this.responses.of(status) + count;
    await this.until(() => this.responses.of(status) >= enough);
  }

  /** How many requests got no response. */
  get withoutResponse(): number {
    return this.writers.withoutResponse + this.readers.withoutResponse;
  }

  /** Ends when each request under way is answered. */
  async pause(): Promise<void> {
    this.writers.stop();
    this.readers.stop();
    await this.running;
  }

  /** Pauses, and ends when whatever was to be repeated is acknowledged. */
  async stop(): Promise<void> {
    await this.pause();
    await this.writers.settle(this.service);
  }

  /** @throws Error as soon as there is a response that should not be */
  private until(condition: () => boolean): Promise<void> {
    return until(() => {
      const [wrong] = this.responses.wrong;
      if (wrong !== undefined) throw new Error(`A response that should not be: ${wrong}`);
      return condition();
    });
  }
}
