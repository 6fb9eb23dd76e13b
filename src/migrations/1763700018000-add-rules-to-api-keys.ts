import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class AddRulesToApiKeys1763700018000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { integer, text } = columnTypes(queryRunner);
    // TypeORM would make the table anew on SQLite.
    await queryRunner.query(`ALTER TABLE "api_keys" ADD COLUMN "networks" ${text}`);
    await queryRunner.query(`ALTER TABLE "api_keys" ADD COLUMN "limit_per_minute" ${integer}`);
    await queryRunner.query(`ALTER TABLE "api_keys" ADD COLUMN "quota_per_month" ${integer}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "api_keys" DROP COLUMN "quota_per_month"');
    await queryRunner.query('ALTER TABLE "api_keys" DROP COLUMN "limit_per_minute"');
    await queryRunner.query('ALTER TABLE "api_keys" DROP COLUMN "networks"');
  }
}
