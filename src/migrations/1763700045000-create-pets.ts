import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes, createTextIndex } from '@petstore/platform';

const PRESENT = '"removed_at" IS NULL';
const REMOVED = '"removed_at" IS NOT NULL';

export class CreatePets1763700045000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, int64, text } = columnTypes(queryRunner);
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
          { name: 'created_at', type: instant, isNullable: true },
          { name: 'removed_at', type: instant, isNullable: true },
        ],
        checks: [{ name: 'chk_pets_status', expression: `"status" IN ('available', 'pending', 'sold')` }],
        indices: [
          { name: 'idx_pets_present_id', columnNames: ['id'], where: PRESENT },
          { name: 'idx_pets_present_status_id', columnNames: ['status', 'id'], where: PRESENT },
          { name: 'idx_pets_present_category_id_id', columnNames: ['category_id', 'id'], where: PRESENT },
          { name: 'idx_pets_present_created_at_id', columnNames: ['created_at', 'id'], where: PRESENT },
          { name: 'idx_pets_removed_id', columnNames: ['id'], where: REMOVED },
          { name: 'idx_pets_removed_status_id', columnNames: ['status', 'id'], where: REMOVED },
          { name: 'idx_pets_removed_category_id_id', columnNames: ['category_id', 'id'], where: REMOVED },
          { name: 'idx_pets_removed_created_at_id', columnNames: ['created_at', 'id'], where: REMOVED },
        ],
      }),
    );
    await createTextIndex(queryRunner, { name: 'idx_pets_name_id', table: 'pets', column: 'name' });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('pets');
  }
}
