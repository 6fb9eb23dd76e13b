import type { AdminRecords } from '../../../platform/features/admin-records';
import { fieldsOf, type RecordField } from '../record-fields';
import { REFUSAL_MEMBERS, STORED_MEMBERS } from './formats';
import { InvalidRowError } from './transfer.errors';

/** Longest row, in bytes. The interface accepts bodies of a tenth of it. */
export const MAX_ROW_BYTES = 1_048_576;

/** Rows of a batch, which is stored in one transaction: about 5 ms of SQLite's write lock. */
const BATCH_ROWS = 1_000;
/** Size at which a batch ends, in bytes: an import holds this and one row in memory. */
const BATCH_BYTES = 4 * MAX_ROW_BYTES;

/** Most unknown members that an error message names; a file may have half a million. */
const MAX_NAMED = 50;

/** One row of a file. */
export interface SourceRow {
  /** The line on which the row begins; the first is 1. */
  readonly line: number;
  /** True for a row without any value, which is neither imported nor refused: spreadsheets write many. */
  readonly isEmpty: boolean;
  /** The row as it stands in the file, as far as it is text, without what a file of refused rows has besides. */
  text(): string;
  /** The header above {@link text}; empty in a format without one. */
  header(): string;
  /** The plain values of the row's fields. @throws InvalidRowError */
  values(): Record<string, unknown>;
}

/** Collects rows into batches. */
export class RowBatch {
  private rows: SourceRow[] = [];
  private bytes = 0;

  add(row: SourceRow, bytes: number): void {
    this.rows.push(row);
    this.bytes += bytes;
  }

  get isFull(): boolean {
    return this.rows.length >= BATCH_ROWS || this.bytes >= BATCH_BYTES;
  }

  get isEmpty(): boolean {
    return this.rows.length === 0;
  }

  /** Returns the rows of the batch and begins a new one. */
  take(): SourceRow[] {
    const { rows } = this;
    this.rows = [];
    this.bytes = 0;
    return rows;
  }
}

/** Members that rows may have: fields of the creation, and those that an export writes besides. */
export class RowMembers {
  private readonly fields: ReadonlyMap<string, RecordField>;
  private readonly others: ReadonlySet<string>;

  constructor(private readonly recordType: AdminRecords) {
    const { creation = Object, record } = recordType;
    this.fields = new Map(fieldsOf(creation).map((field) => [field.name, field]));
    this.others = new Set([
      ...fieldsOf(record).map(({ name }) => name),
      ...STORED_MEMBERS,
      ...REFUSAL_MEMBERS,
    ]);
  }

  /** Names of the fields that a record cannot do without. */
  get required(): string[] {
    return [...this.fields.values()].filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  }

  /** The field of a member; undefined for a member that is skipped because the service sets it. */
  fieldOf(name: string): RecordField | undefined {
    return this.fields.get(name);
  }

  /** Describes the unknown members among some, if there are any. */
  unknownOf(names: readonly string[]): string | undefined {
    const unknown = names.filter((name) => !this.fields.has(name) && !this.others.has(name));
    if (unknown.length === 0) return undefined;
    const named = unknown.slice(0, MAX_NAMED).map((name) => JSON.stringify(quotedPart(name)));
    const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : '';
    return `${this.recordType.name} have no ${named.join(', ')}${more}; they have ${[...this.fields.keys()].join(', ')}`;
  }

  /** Refuses a removed record, which an import would bring back. @throws InvalidRowError */
  refuseRemoved(name: string, value: unknown): void {
    if (name === 'removedAt' && value !== '' && value !== null && value !== undefined) {
      throw new InvalidRowError(`removedAt is set: a removed ${this.recordType.one} is not imported.`);
    }
  }
}

/** Cuts a text of a file, so that an error message stays readable. */
export function quotedPart(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
