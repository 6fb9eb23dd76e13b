import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateServiceModes1763700021000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'service_modes',
        columns: [
          { name: 'name', type: text, isPrimary: true, primaryKeyConstraintName: 'pk_service_modes' },
          { name: 'since', type: instant },
          { name: 'actor', type: text },
          { name: 'reason', type: text, isNullable: true },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('service_modes');
  }
}
