import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class AddWaitsToRequestLog1763700027000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { double } = columnTypes(queryRunner);
    // TypeORM would make the table anew on SQLite.
    await queryRunner.query(`ALTER TABLE "request_log" ADD COLUMN "wait_ms" ${double}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "request_log" DROP COLUMN "wait_ms"');
  }
}
