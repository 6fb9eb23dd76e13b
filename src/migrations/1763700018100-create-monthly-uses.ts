import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateMonthlyUses1763700018100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { date, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'monthly_uses',
        columns: [
          { name: 'lineage_id', type: text, isPrimary: true, primaryKeyConstraintName: 'pk_monthly_uses' },
          { name: 'month', type: date },
          { name: 'used', type: integer },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('monthly_uses');
  }
}
