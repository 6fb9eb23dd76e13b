import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes, engineOf } from '../platform/database/column-types';

/** The record of changes can only be added to, whatever a program says that reaches the database. */
const APPEND_ONLY = {
  sqlite: ['UPDATE', 'DELETE'].map(
    (verb) =>
      `CREATE TRIGGER "audit_events_no_${verb.toLowerCase()}" BEFORE ${verb} ON "audit_events" BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`,
  ),
  postgres: [
    `CREATE FUNCTION "refuse_audit_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'audit_events is append-only'; END $$`,
    `CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_event_change"()`,
  ],
};

export class CreateAuditEvents1763700003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { int64, instant, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'audit_events',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_audit_events',
          },
          { name: 'at', type: instant },
          { name: 'actor', type: text },
          { name: 'action', type: text },
          { name: 'subject_type', type: text },
          { name: 'subject_id', type: text },
          { name: 'before', type: text, isNullable: true },
          { name: 'after', type: text, isNullable: true },
          { name: 'request_id', type: text, isNullable: true },
          { name: 'address', type: text, isNullable: true },
        ],
        indices: [
          { name: 'idx_audit_events_subject_id', columnNames: ['subject_type', 'subject_id', 'id'] },
          { name: 'idx_audit_events_actor_id', columnNames: ['actor', 'id'] },
          { name: 'idx_audit_events_at', columnNames: ['at'] },
        ],
      }),
    );
    for (const statement of APPEND_ONLY[engineOf(queryRunner.dataSource)]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('audit_events');
    if (engineOf(queryRunner.dataSource) === 'postgres') {
      await queryRunner.query('DROP FUNCTION "refuse_audit_event_change"()');
    }
  }
}
