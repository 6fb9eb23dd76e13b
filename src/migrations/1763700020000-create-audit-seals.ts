import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes, engineOf } from '../platform/database/column-types';

/** The newest event that was removed, as the events about removals say; whatever is newer stays. */
const REMOVED = {
  sqlite: (member: string) =>
    `coalesce((SELECT max(json_extract("after", '$.${member}')) FROM "audit_events" WHERE "subject_type" = 'audit' AND "subject_id" = 'events' AND "action" = 'audit.remove'), 0)`,
  postgres: (member: string) =>
    `coalesce((SELECT max(("after"::json->>'${member}')::bigint) FROM "audit_events" WHERE "subject_type" = 'audit' AND "subject_id" = 'events' AND "action" = 'audit.remove'), 0)`,
};

const SQLITE_EVENTS_ALWAYS = `CREATE TRIGGER "audit_events_no_delete" BEFORE DELETE ON "audit_events" BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`;
const POSTGRES_EVENTS_ALWAYS = `CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_event_change"()`;

/** Events and seals can be added, and removed once an event says that they are removed. */
const APPEND_ONLY = {
  sqlite: [
    `DROP TRIGGER "audit_events_no_delete"`,
    `CREATE TRIGGER "audit_events_no_delete" BEFORE DELETE ON "audit_events" WHEN OLD."id" > ${REMOVED.sqlite('lastEventId')} BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`,
    `CREATE TRIGGER "audit_seals_no_update" BEFORE UPDATE ON "audit_seals" BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END`,
    `CREATE TRIGGER "audit_seals_no_delete" BEFORE DELETE ON "audit_seals" WHEN OLD."sequence" > ${REMOVED.sqlite('lastSequence')} BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END`,
  ],
  postgres: [
    `DROP TRIGGER "audit_events_append_only" ON "audit_events"`,
    `CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR TRUNCATE ON "audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_event_change"()`,
    `CREATE FUNCTION "refuse_audit_event_removal"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD."id" > ${REMOVED.postgres('lastEventId')} THEN RAISE EXCEPTION 'audit_events is append-only'; END IF; RETURN OLD; END $$`,
    `CREATE TRIGGER "audit_events_kept" BEFORE DELETE ON "audit_events" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_event_removal"()`,
    `CREATE FUNCTION "refuse_audit_seal_change"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'audit_seals is append-only'; END $$`,
    `CREATE TRIGGER "audit_seals_append_only" BEFORE UPDATE OR TRUNCATE ON "audit_seals" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_seal_change"()`,
    `CREATE FUNCTION "refuse_audit_seal_removal"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD."sequence" > ${REMOVED.postgres('lastSequence')} THEN RAISE EXCEPTION 'audit_seals is append-only'; END IF; RETURN OLD; END $$`,
    `CREATE TRIGGER "audit_seals_kept" BEFORE DELETE ON "audit_seals" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_seal_removal"()`,
  ],
};

/** What takes {@link APPEND_ONLY} back, once the table of seals is gone. */
const AS_BEFORE = {
  sqlite: [`DROP TRIGGER "audit_events_no_delete"`, SQLITE_EVENTS_ALWAYS],
  postgres: [
    `DROP FUNCTION "refuse_audit_seal_removal"()`,
    `DROP FUNCTION "refuse_audit_seal_change"()`,
    `DROP TRIGGER "audit_events_kept" ON "audit_events"`,
    `DROP FUNCTION "refuse_audit_event_removal"()`,
    `DROP TRIGGER "audit_events_append_only" ON "audit_events"`,
    POSTGRES_EVENTS_ALWAYS,
  ],
};

export class CreateAuditSeals1763700020000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, int64, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'audit_seals',
        columns: [
          { name: 'sequence', type: int64, isPrimary: true, primaryKeyConstraintName: 'pk_audit_seals' },
          { name: 'event_id', type: int64 },
          { name: 'sealed_at', type: instant },
          { name: 'hash', type: text },
        ],
        uniques: [{ name: 'uq_audit_seals_event_id', columnNames: ['event_id'] }],
      }),
    );
    for (const statement of APPEND_ONLY[engineOf(queryRunner.dataSource)]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('audit_seals');
    for (const statement of AS_BEFORE[engineOf(queryRunner.dataSource)]) await queryRunner.query(statement);
  }
}
