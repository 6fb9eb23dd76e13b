import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateRequestLog1763700016000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { double, instant, int64, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'request_log',
        columns: [
          { name: 'id', type: int64, isPrimary: true, primaryKeyConstraintName: 'pk_request_log' },
          { name: 'at', type: instant },
          { name: 'request_id', type: text },
          { name: 'trace_id', type: text, isNullable: true },
          { name: 'key_id', type: text, isNullable: true },
          { name: 'method', type: text, isNullable: true },
          { name: 'route', type: text, isNullable: true },
          { name: 'status', type: integer, isNullable: true },
          { name: 'outcome', type: text },
          { name: 'code', type: text, isNullable: true },
          { name: 'message', type: text, isNullable: true },
          { name: 'duration_ms', type: double },
          { name: 'address', type: text, isNullable: true },
          { name: 'node', type: text },
        ],
        indices: [
          { name: 'idx_request_log_request_id', columnNames: ['request_id'] },
          ...['address', 'code', 'key_id', 'outcome', 'route'].map((column) => ({
            name: `idx_request_log_${column}_id`,
            columnNames: [column, 'id'],
          })),
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('request_log');
  }
}
