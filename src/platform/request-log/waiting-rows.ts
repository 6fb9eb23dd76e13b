import { ServiceUnavailableError } from '../errors/http-errors';

/** Where rows go that have waited. */
export interface RowsTarget<Row> {
  /** Most rows that wait. */
  readonly limit: number;
  /** Whether there is a table to write them to. */
  isReady(): Promise<boolean>;
  /** Stores rows; those that are stored already are left as they are. */
  insert(rows: readonly Row[]): Promise<void>;
  /** Is told of each row that is dropped. */
  onDropped(): void;
  /** Is told of the first of several writes in a row that fail. */
  onFailure(error: unknown): void;
}

/** Rows of one statement: some milliseconds, so that other work gets its turn. */
const BATCH = 200;

/** Rows that gather in memory and are written together, so that no request waits for its own. They are kept while the database is away. */
export class WaitingRows<Row> {
  private readonly rows: Row[] = [];
  private writing: Promise<void> | undefined;
  private isFailing = false;

  constructor(private readonly target: RowsTarget<Row>) {}

  /** How many wait. */
  get size(): number {
    return this.rows.length;
  }

  /** Whether no more are taken. */
  get isFull(): boolean {
    return this.rows.length >= this.target.limit;
  }

  /** Adds a row, or drops it where too many wait. */
  add(row: Row): void {
    if (this.isFull) this.target.onDropped();
    else this.rows.push(row);
  }

  /** Writes what waits; never rejects. A call while another is under way waits for that one. */
  write(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => (this.writing = undefined));
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    try {
      // Where the table is still to be made, the start has said so.
      if (this.rows.length === 0 || !(await this.target.isReady())) return;
      while (this.rows.length > 0) await this.writeBatch(this.rows.slice(0, BATCH));
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.target.onFailure(error);
      this.isFailing = true;
    }
  }

  private async writeBatch(batch: readonly Row[]): Promise<void> {
    try {
      await this.target.insert(batch);
    } catch (error) {
      // What a database in reach refuses it would refuse again, with all that waits behind it.
      if (!(error instanceof ServiceUnavailableError)) this.drop(batch);
      throw error;
    }
    this.rows.splice(0, batch.length);
  }

  private drop(batch: readonly Row[]): void {
    this.rows.splice(0, batch.length);
    for (let i = 0; i < batch.length; i++) this.target.onDropped();
  }
}
