import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../platform/database/column-types';
import { createTextIndex } from '../platform/database/statements/text-index';

const NAME_INDEX = { name: 'idx_pets_name_id', table: 'pets', column: 'name' };

/** An index that an earlier version made, in the order of the locale of the database. */
const BY_LOCALE = `
  SELECT 1 FROM pg_index JOIN pg_collation ON pg_collation.oid = indcollation[0]
  WHERE indexrelid = to_regclass('"idx_pets_name_id"') AND collname <> 'C'`;

export class SortPetNamesByCodePoints1763700015000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) === 'sqlite') return;
    const byLocale = (await queryRunner.query(BY_LOCALE)) as unknown[];
    if (byLocale.length > 0) await queryRunner.query('DROP INDEX "idx_pets_name_id"');
    await createTextIndex(queryRunner, NAME_INDEX);
  }

  /** The migrations before it leave the same index today. */
  async down(): Promise<void> {}
}
