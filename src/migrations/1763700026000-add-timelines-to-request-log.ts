import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class AddTimelinesToRequestLog1763700026000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { text } = columnTypes(queryRunner);
    // TypeORM would make the table anew on SQLite.
    await queryRunner.query(`ALTER TABLE "request_log" ADD COLUMN "timeline" ${text}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "request_log" DROP COLUMN "timeline"');
  }
}
