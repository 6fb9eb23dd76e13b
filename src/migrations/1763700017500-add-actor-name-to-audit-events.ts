import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class AddActorNameToAuditEvents1763700017500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would make the table anew on SQLite.
    await queryRunner.query(
      `ALTER TABLE "audit_events" ADD COLUMN "actor_name" ${columnTypes(queryRunner).text}`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "audit_events" DROP COLUMN "actor_name"');
  }
}
