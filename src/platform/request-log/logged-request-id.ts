import { randomInt } from 'node:crypto';

/** Ids of one millisecond, over all nodes. With this number, ids stay exact as numbers of JavaScript until 2039. */
const IDS_IN_MS = 4_096;

/** Returns the first id of a time: rows before that time have smaller ids, all others do not. */
export function firstIdAt(instant: Date | number): bigint {
  return BigInt(instant.valueOf()) * BigInt(IDS_IN_MS);
}

/**
 * Gives ids that ascend with the time, on every node without asking another. So one index on (column, id) finds the newest rows
 * of a value, those of a span of time, and the next page. If two nodes give the same id, a row is lost.
 */
export class LoggedRequestIds {
  private place = randomInt(IDS_IN_MS);

  /**
   * Returns the next id.
   *
   * @param now Unix milliseconds
   */
  next(now: number): bigint {
    this.place = (this.place + 1) % IDS_IN_MS;
    return firstIdAt(now) + BigInt(this.place);
  }
}

/** Returns the time of an id. */
export function instantOf(id: bigint): Date {
  return new Date(Number(id / BigInt(IDS_IN_MS)));
}
