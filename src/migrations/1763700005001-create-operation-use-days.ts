import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateOperationUseDays1763700005001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { text, date, int64 } = columnTypes(queryRunner);
    const key = { isPrimary: true, primaryKeyConstraintName: 'pk_operation_use_days' };
    await queryRunner.createTable(
      new Table({
        name: 'operation_use_days',
        columns: [
          { name: 'key_id', type: text, ...key },
          { name: 'operation', type: text, ...key },
          { name: 'day', type: date, ...key },
          { name: 'count', type: int64 },
        ],
        indices: [{ name: 'idx_operation_use_days_day', columnNames: ['day'] }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('operation_use_days');
  }
}
