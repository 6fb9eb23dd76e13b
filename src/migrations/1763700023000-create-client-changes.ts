import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

const KEY = { isPrimary: true, primaryKeyConstraintName: 'pk_client_changes' } as const;

export class CreateClientChanges1763700023000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { int64, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'client_changes',
        columns: [
          { name: 'kind', type: text, ...KEY },
          { name: 'record_id', type: int64, ...KEY },
          { name: 'id', type: int64, ...KEY },
          { name: 'verb', type: text },
          { name: 'operation', type: text },
          { name: 'key_id', type: text, isNullable: true },
          { name: 'request_id', type: text },
          { name: 'address', type: text, isNullable: true },
        ],
        indices: [{ name: 'idx_client_changes_id', columnNames: ['id'] }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('client_changes');
  }
}
