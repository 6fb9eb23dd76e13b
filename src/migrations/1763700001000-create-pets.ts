import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreatePets1763700001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { int64, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'pets',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_pets',
          },
          { name: 'name', type: text },
          { name: 'category_id', type: int64 },
          { name: 'status', type: text, isNullable: true },
        ],
        indices: [{ name: 'idx_pets_status_id', columnNames: ['status', 'id'] }],
        checks: [{ name: 'chk_pets_status', expression: `"status" IN ('available', 'pending', 'sold')` }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('pets');
  }
}
