import type { Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import { exactJson } from '../../values/exact-json';
import type { Database } from '../database';
import { bindable, type BoundValue } from '../statements/row-values';
import { rowsInsertion } from './rows-insertion';
import type { Statement } from '../statements/statement';

/** Stores rows of an entity that have their keys already, any number by one statement. */
export class InsertIgnore<Entity extends ObjectLiteral> {
  private insertion: Statement<object> | undefined;

  constructor(
    private readonly database: Database,
    private readonly entity: Type<Entity>,
  ) {}

  /** Stores rows; leaves existing ones as they are, so rows that may have been stored can be given again. */
  async insert(rows: readonly Entity[]): Promise<void> {
    const { engine, dataSource } = this.database;
    const { columns, tableName } = dataSource.getMetadata(this.entity);
    this.insertion ??= rowsInsertion(this.database, tableName, columns, 'ON CONFLICT DO NOTHING RETURNING 1');
    const values = rows.map((row) =>
      columns.map(({ propertyName }) => bindable(row[propertyName] as BoundValue, engine) ?? null),
    );
    await this.database.query(this.insertion, { rows: exactJson(values) });
  }
}
