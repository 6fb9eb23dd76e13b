import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class AddDisablesAtToApiKeys1763700018200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would make the table anew on SQLite.
    await queryRunner.query(
      `ALTER TABLE "api_keys" ADD COLUMN "disables_at" ${columnTypes(queryRunner).instant}`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "api_keys" DROP COLUMN "disables_at"');
  }
}
