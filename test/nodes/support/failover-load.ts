import type { TimedResponse } from '../../support/http/timed-response';
import { PetWriters } from '../../support/samples/pet-writers';
import type { ServiceProcess } from '../../support/processes/service-process';
import { ResponseCount } from '../../faults/support/responses';
import { CheckingReaders } from './checking-readers';

/** Clients of each node that write; every other one repeats what was not acknowledged. */
const WRITERS = 2;

/** How long a writer rests after each pet, in milliseconds: the load is to be steady, not all the machine has. */
const THINKING_MS = 60;

/** When each node did something last, and the longest it did not, in milliseconds. */
class Absence {
  private readonly last = new Map<ServiceProcess, number>();
  longestMs = 0;

  constructor(nodes: readonly ServiceProcess[]) {
    const now = performance.now();
    for (const node of nodes) this.last.set(node, now);
  }

  note(node: ServiceProcess): void {
    const now = performance.now();
    this.longestMs = Math.max(this.longestMs, now - (this.last.get(node) ?? now));
    this.last.set(node, now);
  }

  /** Whether each node has done it after that time. */
  isOverSince(time: number): boolean {
    return [...this.last.values()].every((last) => last > time);
  }
}

/** Clients that write to and read from all nodes at once, and how long they were not served. */
export class FailoverLoad {
  /** 409 is for a creation that is repeated while the database is still at it. */
  readonly responses = new ResponseCount([409, 503]);
  readonly writers: PetWriters;
  readonly readers: CheckingReaders;
  writes: Absence;
  reads: Absence;
  private readonly running: Promise<unknown>;

  /** Begins. */
  constructor(
    private readonly nodes: readonly ServiceProcess[],
    key: string,
  ) {
    this.writers = new PetWriters(key, true, THINKING_MS);
    this.readers = new CheckingReaders(key, this.writers);
    this.writes = new Absence(nodes);
    this.reads = new Absence(nodes);
    this.writers.onResponse = (response, node) => this.note(response, 201, this.writes, node);
    this.readers.onResponse = (response, node) => this.note(response, 200, this.reads, node);
    this.running = Promise.all(
      nodes.map((node) => Promise.all([this.writers.run(node, WRITERS), this.readers.run(node)])),
    );
  }

  /** Measures anew from now on. */
  reset(): void {
    this.writes = new Absence(this.nodes);
    this.reads = new Absence(this.nodes);
  }

  /** Lets the clients end; resolves when each request under way is answered. */
  async stop(): Promise<void> {
    this.writers.stop();
    this.readers.stop();
    await this.running;
  }

  /** Repeats whatever was to be repeated until it is acknowledged. */
  settle(): Promise<void> {
    return this.writers.settle(this.nodes[0] as ServiceProcess);
  }

  private note(response: TimedResponse, served: number, absence: Absence, node: ServiceProcess): void {
    this.responses.note(response);
    if (response.status === served) absence.note(node);
  }
}
