import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class AddUsedColumnsToServingProcesses1763700037100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { text } = columnTypes(queryRunner);
    // TypeORM would make the table anew on SQLite.
    await queryRunner.query(`ALTER TABLE "serving_processes" ADD COLUMN "used_columns" ${text}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "serving_processes" DROP COLUMN "used_columns"');
  }
}
