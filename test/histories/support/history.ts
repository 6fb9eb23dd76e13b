import { closeSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A pet that a response shows: its id, and its name, which is the value of a register. */
export type Shown = readonly [id: string, value: string];

/** Times are those of one monotonic clock, in milliseconds. Without an end the outcome is unknown: there was no response, or a refusal. */
interface Operation {
  readonly client: number;
  readonly start: number;
  readonly end?: number;
}

/** A creation by an Idempotency-Key. Repetitions are operations of their own. */
export interface Create extends Operation {
  readonly type: 'create';
  readonly key: string;
  readonly value: string;
  /** The pet that the response shows. */
  readonly shown?: Shown;
}

/** A change of a pet to a value that nothing else ever has. */
export interface Change extends Operation {
  readonly type: 'change';
  readonly id: string;
  readonly value: string;
}

export interface Get extends Operation {
  readonly type: 'get';
  readonly id: string;
  /** Undefined when the response says that there is no such pet. */
  readonly value: string | undefined;
  readonly end: number;
}

/** A page of all pets. */
export interface Page extends Operation {
  readonly type: 'page';
  /** Last id of the page before; 0 for the first page. */
  readonly after: string;
  readonly shown: readonly Shown[];
  /** True if the response names a next page. */
  readonly hasNext: boolean;
  readonly end: number;
}

/** A delivery of a stored event to its handler, in the order of deliveries. */
export interface Delivery {
  readonly id: string;
  readonly value: string;
}

/** Operations of clients with their results, and deliveries to handlers of events. */
export interface History {
  readonly creates: readonly Create[];
  readonly changes: readonly Change[];
  readonly gets: readonly Get[];
  readonly pages: readonly Page[];
  readonly deliveries: readonly Delivery[];
}

type Recorded = Create | Change | Get | Page;

/** Keeps what clients do. */
export class Recorder {
  readonly creates: Create[] = [];
  readonly changes: Change[] = [];
  readonly gets: Get[] = [];
  readonly pages: Page[] = [];

  /** Number of the operations with a known outcome. */
  known = 0;

  add(operation: Recorded): void {
    if (operation.end !== undefined) this.known += 1;
    if (operation.type === 'create') this.creates.push(operation);
    else if (operation.type === 'change') this.changes.push(operation);
    else if (operation.type === 'get') this.gets.push(operation);
    else this.pages.push(operation);
  }
}

/** Writes the operations and deliveries of a history, a line each, to a file that outlives the tests. @returns its path */
export function keepHistory({ creates, changes, gets, pages, deliveries }: History, seed: number): string {
  const path = join(tmpdir(), `petstore-history-${seed}.jsonl`);
  const file = openSync(path, 'w');
  for (const line of [...creates, ...changes, ...gets, ...pages, ...deliveries]) {
    writeSync(file, `${JSON.stringify(line)}\n`);
  }
  closeSync(file);
  return path;
}
