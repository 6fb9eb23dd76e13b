import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class AddPeopleToAdminSessions1763700017000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, type] of columns(queryRunner)) {
      // TypeORM would make the table anew on SQLite.
      await queryRunner.query(`ALTER TABLE "admin_sessions" ADD COLUMN "${name}" ${type}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of columns(queryRunner)) {
      await queryRunner.query(`ALTER TABLE "admin_sessions" DROP COLUMN "${name}"`);
    }
  }
}

function columns(queryRunner: QueryRunner): [name: string, type: string][] {
  const { instant, text } = columnTypes(queryRunner);
  return [
    ['issuer', text],
    ['person_name', text],
    ['scopes', text],
    ['provider_session', text],
    ['sealed_tokens', text],
    ['checked_at', instant],
    ['check_begun_at', instant],
  ];
}
