import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTextIndex } from '../platform/database/statements/text-index';

export class IndexNamesOfApiKeys1763700024000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTextIndex(queryRunner, { name: 'idx_api_keys_name_id', table: 'api_keys', column: 'name' });
    await createTextIndex(queryRunner, { name: 'idx_api_keys_hint_id', table: 'api_keys', column: 'hint' });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "idx_api_keys_hint_id"');
    await queryRunner.query('DROP INDEX "idx_api_keys_name_id"');
  }
}
