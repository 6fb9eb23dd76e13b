import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { exactJson } from '../../values/exact-json';
import type { Database } from '../database';
import { bindable, type BoundValue } from '../statements/row-values';
import { NO_QUERY, type Statement } from '../statements/statement';

type Column = EntityMetadata['columns'][number];

/**
 * Insertion of any number of rows by one statement. It is compiled and prepared once, and no engine's limit of parameters bounds
 * it: its one parameter is the rows as JSON, an array of the values of each.
 */
export class RowsInsertion<Returned extends object = object> {
  private statement: Statement<Returned> | undefined;

  /**
   * @param columns columns of one table that are filled in
   * @param tail SQL behind the rows, such as `RETURNING "id"`
   */
  constructor(
    private readonly database: Database,
    private readonly columns: readonly Column[],
    private readonly tail: string,
  ) {}

  /** Stores rows. Returns the rows of the tail's `RETURNING`, in any order. */
  async insert(rows: readonly ObjectLiteral[]): Promise<Returned[]> {
    if (rows.length === 0) return [];
    this.statement ??= this.prepare();
    return this.database.query(this.statement, { rows: this.textOf(rows) });
  }

  /** Returns rows as they are given to the statement: those that would be stored the same are the same. */
  textOf(rows: readonly ObjectLiteral[]): string {
    const { engine } = this.database;
    const values = rows.map((row) =>
      this.columns.map(({ propertyName }) => bindable(row[propertyName] as BoundValue, engine) ?? null),
    );
    return exactJson(values);
  }

  private prepare(): Statement<Returned> {
    const { engine, dataSource } = this.database;
    const tableName = this.columns[0]?.entityMetadata.tableName;
    const names = this.columns.map(({ databaseName }) => `"${databaseName}"`);
    const values = this.columns.map((column, index) => {
      const value = `item.value ->> ${index}`;
      if (engine === 'sqlite') return value;
      const type = dataSource.driver.normalizeType(column);
      return `CAST(${value} AS ${type}${column.isArray ? '[]' : ''})`;
    });
    const rows =
      engine === 'sqlite'
        ? 'json_each(:rows) AS item'
        : 'json_array_elements(CAST(:rows AS json)) AS item(value)';
    const insertion = `INSERT INTO "${tableName}" (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${rows}`;
    // Without a condition SQLite would take ON CONFLICT for one of a join.
    return this.database.prepare(() => NO_QUERY, `${insertion} WHERE true ${this.tail}`);
  }
}
