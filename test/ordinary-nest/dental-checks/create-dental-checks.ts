import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../../../src/platform/database/column-types';

export class CreateDentalChecks1790000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { date, instant, int64, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'dental_checks',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_dental_checks',
          },
          { name: 'pet_id', type: int64 },
          { name: 'certificate', type: text },
          { name: 'given_on', type: date },
          { name: 'due_on', type: date, isNullable: true },
          { name: 'companion_id', type: int64, isNullable: true },
          { name: 'created_at', type: instant, isNullable: true },
        ],
        indices: [
          { name: 'uq_dental_checks_certificate', columnNames: ['certificate'], isUnique: true },
          { name: 'idx_dental_checks_pet_id_id', columnNames: ['pet_id', 'id'] },
          { name: 'idx_dental_checks_created_at_id', columnNames: ['created_at', 'id'] },
        ],
        foreignKeys: ['pet_id', 'companion_id'].map((column) => ({
          name: `fk_dental_checks_${column}`,
          columnNames: [column],
          referencedTableName: 'pets',
          referencedColumnNames: ['id'],
        })),
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('dental_checks');
  }
}
