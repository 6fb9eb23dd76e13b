import SqliteDatabase from 'better-sqlite3';

/**
 * A number that changes with every commit to a SQLite file, by any process (SQLite, PRAGMA data_version).
 *
 * The pragma leaves out commits of the connection that asks, so it is asked on a connection that never commits.
 */
export class SqliteVersion {
  private connection: SqliteDatabase.Database | undefined;
  private statement: SqliteDatabase.Statement<[], number> | undefined;

  constructor(private readonly file: string) {}

  read(): number {
    if (!this.statement) {
      this.connection = new SqliteDatabase(this.file, { readonly: true, fileMustExist: true });
      this.statement = this.connection.prepare<[], number>('PRAGMA data_version').pluck();
    }
    return this.statement.get() as number;
  }

  close(): void {
    this.connection?.close();
    this.connection = undefined;
    this.statement = undefined;
  }
}
