import type { Readable } from 'node:stream';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { InvalidJsonError } from '../../../platform/errors/http-errors';
import { readJson } from '../../../platform/values/json-reader';
import { MAX_ROW_BYTES, RowBatch, RowMembers, type SourceRow } from './source-row';
import { InvalidRowError } from './transfer.errors';

const LINE_END = 10;
const CARRIAGE_RETURN = 13;

/** Beginning of a row in a file of refused rows, before the row's own members. */
const OF_REFUSAL = /^\{"refusedLine":\d+,"refusedBecause":"(?:[^"\\]|\\.)*",?/;

/** Reads one JSON object a line, after a byte order mark if there is one. */
export async function* ndjsonRows(recordType: AdminRecords, bytes: Readable): AsyncGenerator<SourceRow[]> {
  const members = new RowMembers(recordType);
  const batch = new RowBatch();
  let line = 0;
  for await (const text of linesOf(bytes)) {
    batch.add(new NdjsonRow(++line, text, members), text?.length ?? 0);
    if (batch.isFull) yield batch.take();
  }
  if (!batch.isEmpty) yield batch.take();
}

class NdjsonRow implements SourceRow {
  constructor(
    readonly line: number,
    /** Undefined if the line is too long. */
    private readonly bytes: Buffer | undefined,
    private readonly members: RowMembers,
  ) {}

  get isEmpty(): boolean {
    return this.bytes?.length === 0;
  }

  text(): string {
    return (this.bytes?.toString() ?? '').replace(OF_REFUSAL, '{');
  }

  header(): string {
    return '';
  }

  values(): Record<string, unknown> {
    const object = this.object();
    const unknown = this.members.unknownOf(Object.keys(object));
    if (unknown !== undefined) throw new InvalidRowError(`${unknown}.`);
    const values: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(object)) {
      if (this.members.fieldOf(name)) values[name] = value;
      else this.members.refuseRemoved(name, value);
    }
    return values;
  }

  private object(): object {
    const { bytes } = this;
    if (!bytes) {
      throw new InvalidRowError(`The line is longer than ${MAX_ROW_BYTES.toLocaleString('en')} bytes.`);
    }
    const value = parseLine(bytes);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    throw new InvalidRowError('The line is not a JSON object.');
  }
}

function parseLine(bytes: Buffer): unknown {
  try {
    return readJson(bytes, 'The line');
  } catch (error) {
    throw error instanceof InvalidJsonError ? new InvalidRowError(error.message) : error;
  }
}

/** Yields the lines of a file without their line breaks; undefined in place of a line that is too long. */
async function* linesOf(bytes: Readable): AsyncGenerator<Buffer | undefined> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      yield wholeLine(begun, length, chunk.subarray(start, end));
      [begun, length, start] = [[], 0, end + 1];
    }
    const rest = chunk.subarray(start);
    length += rest.length;
    if (rest.length > 0 && length <= MAX_ROW_BYTES) begun.push(rest);
  }
  if (length > 0) yield wholeLine(begun, length, Buffer.alloc(0));
}

function wholeLine(begun: readonly Buffer[], length: number, end: Buffer): Buffer | undefined {
  if (length + end.length > MAX_ROW_BYTES) return undefined;
  const line = begun.length === 0 ? end : Buffer.concat([...begun, end]);
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
