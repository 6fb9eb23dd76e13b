import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../platform/database/column-types';

export class CreateAdminSessions1763700006000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'admin_sessions',
        columns: [
          { name: 'id', type: text, isPrimary: true, primaryKeyConstraintName: 'pk_admin_sessions' },
          { name: 'token_hash', type: text },
          { name: 'key_id', type: text },
          { name: 'lineage_id', type: text },
          { name: 'created_at', type: instant },
          { name: 'last_seen_at', type: instant },
          { name: 'address', type: text },
          { name: 'user_agent', type: text },
          { name: 'notice', type: text, isNullable: true },
        ],
        uniques: [{ name: 'uq_admin_sessions_token_hash', columnNames: ['token_hash'] }],
        indices: [
          { name: 'idx_admin_sessions_lineage_id', columnNames: ['lineage_id'] },
          { name: 'idx_admin_sessions_last_seen_at', columnNames: ['last_seen_at'] },
        ],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'admin_sent_forms',
        columns: [
          { name: 'id', type: text, isPrimary: true, primaryKeyConstraintName: 'pk_admin_sent_forms' },
          { name: 'sent_at', type: instant },
        ],
        indices: [{ name: 'idx_admin_sent_forms_sent_at', columnNames: ['sent_at'] }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('admin_sent_forms');
    await queryRunner.dropTable('admin_sessions');
  }
}
