import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../platform/database/column-types';
import { createTextIndex } from '../platform/database/statements/text-index';

const NAME_INDEX = { name: 'idx_pets_name_id', table: 'pets', column: 'name' };

/** An index that AddTimesToPets made when it still put whole names into it, which PostgreSQL refuses of long ones. */
const OF_WHOLE_NAMES = `
  SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('"idx_pets_name_id"') AND indexprs IS NULL`;

export class IndexBeginningsOfPetNames1763700009000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) === 'sqlite') return;
    const wholeNames = (await queryRunner.query(OF_WHOLE_NAMES)) as unknown[];
    if (wholeNames.length > 0) await queryRunner.query('DROP INDEX "idx_pets_name_id"');
    await createTextIndex(queryRunner, NAME_INDEX);
  }

  /** The migrations before it leave the same index today, and one of whole names could not be made of long ones. */
  async down(): Promise<void> {}
}
