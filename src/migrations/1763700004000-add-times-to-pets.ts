import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';
import { createTextIndex } from '../platform/database/statements/text-index';

const COLUMNS = ['created_at', 'removed_at'];

const NAME_INDEX = { name: 'idx_pets_name_id', table: 'pets', column: 'name' };

const INDICES = [
  { name: 'idx_pets_category_id_id', on: '("category_id", "id")' },
  { name: 'idx_pets_created_at_id', on: '("created_at", "id")' },
  { name: 'idx_pets_removed_at_status', on: '("removed_at", "status") WHERE "removed_at" IS NOT NULL' },
];

export class AddTimesToPets1763700004000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant } = columnTypes(queryRunner);
    // TypeORM would make the table anew on SQLite, which what refers to it does not let it do.
    for (const name of COLUMNS) await queryRunner.query(`ALTER TABLE "pets" ADD COLUMN "${name}" ${instant}`);
    await createTextIndex(queryRunner, NAME_INDEX);
    for (const { name, on } of INDICES) {
      await queryRunner.query(`CREATE INDEX IF NOT EXISTS "${name}" ON "pets" ${on}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { name } of [NAME_INDEX, ...INDICES]) await queryRunner.query(`DROP INDEX "${name}"`);
    for (const name of COLUMNS) await queryRunner.query(`ALTER TABLE "pets" DROP COLUMN "${name}"`);
  }
}
