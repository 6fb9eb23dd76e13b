import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class AddKeptFormToAdminSessions1763700010000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would make the table anew on SQLite.
    await queryRunner.query(
      `ALTER TABLE "admin_sessions" ADD COLUMN "kept_form" ${columnTypes(queryRunner).text}`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "admin_sessions" DROP COLUMN "kept_form"');
  }
}
