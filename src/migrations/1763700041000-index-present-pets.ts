import type { MigrationInterface, QueryRunner } from 'typeorm';

const PRESENT = 'WHERE "removed_at" IS NULL';

const INDICES = [
  { name: 'idx_pets_present_id', on: `("id") ${PRESENT}` },
  { name: 'idx_pets_present_status_id', on: `("status", "id") ${PRESENT}` },
  { name: 'idx_pets_present_category_id_id', on: `("category_id", "id") ${PRESENT}` },
  { name: 'idx_pets_present_created_at_id', on: `("created_at", "id") ${PRESENT}` },
  { name: 'idx_pets_removed_id', on: '("id") WHERE "removed_at" IS NOT NULL' },
];

/** Lists read these indexes, and none of the rows that were removed or that were not. */
export class IndexPresentPets1763700041000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { name, on } of INDICES) {
      await queryRunner.query(`CREATE INDEX IF NOT EXISTS "${name}" ON "pets" ${on}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { name } of INDICES) await queryRunner.query(`DROP INDEX "${name}"`);
  }
}
