import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes, engineOf } from '../platform/database/column-types';

/** Columns that no erasure changes. */
const KEPT = ['id', 'at', 'actor', 'action', 'subject_type', 'subject_id', 'request_id'];

/** The erasure of a subject that came after an event; from the newest event of the subject, where an erasure in progress is. */
const erasureOf = (condition: string, from = '"audit_events" erasure') =>
  `(SELECT erasure."id" FROM ${from} WHERE ${condition} AND erasure."id" > OLD."id" AND erasure."action" = 'audit.erase' ORDER BY erasure."id" DESC LIMIT 1) IS NOT NULL`;

/** True if an erasure is recorded of the subject of an event, of its actor, or of the person whom its members tell of. */
const IS_ERASED = [
  erasureOf(`erasure."subject_type" = 'people' AND erasure."subject_id" = OLD."actor"`),
  erasureOf(`erasure."subject_type" = 'keys' AND erasure."subject_id" = OLD."actor"`),
  erasureOf('erasure."subject_type" = OLD."subject_type" AND erasure."subject_id" = OLD."subject_id"'),
  erasureOf(
    'personal."event_id" = OLD."id"',
    '"personal_members" personal JOIN "audit_events" erasure ON erasure."subject_type" = personal."subject_type" AND erasure."subject_id" = personal."subject_id"',
  ),
].join(' OR ');

const SQLITE_NEVER = `CREATE TRIGGER "audit_events_no_update" BEFORE UPDATE ON "audit_events" BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`;
const onPostgres = (verbs: string) =>
  `CREATE TRIGGER "audit_events_append_only" BEFORE ${verbs} ON "audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_event_change"()`;

/** Statements that let an event be overwritten once an erasure is recorded, in what may tell of a person. */
const UP = {
  sqlite: [
    'DROP TRIGGER "audit_events_no_update"',
    `CREATE TRIGGER "audit_events_no_update" BEFORE UPDATE ON "audit_events" WHEN NOT (${KEPT.map((name) => `NEW."${name}" IS OLD."${name}"`).join(' AND ')} AND (${IS_ERASED})) BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`,
  ],
  postgres: [
    'DROP TRIGGER "audit_events_append_only" ON "audit_events"',
    onPostgres('TRUNCATE'),
    `CREATE FUNCTION "refuse_audit_event_update"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF ${KEPT.map((name) => `NEW."${name}" IS DISTINCT FROM OLD."${name}"`).join(' OR ')} OR NOT (${IS_ERASED}) THEN RAISE EXCEPTION 'audit_events is append-only'; END IF; RETURN NEW; END $$`,
    `CREATE TRIGGER "audit_events_overwritten" BEFORE UPDATE ON "audit_events" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_event_update"()`,
  ],
};

const DOWN = {
  sqlite: ['DROP TRIGGER "audit_events_no_update"', SQLITE_NEVER],
  postgres: [
    'DROP TRIGGER "audit_events_overwritten" ON "audit_events"',
    'DROP FUNCTION "refuse_audit_event_update"()',
    'DROP TRIGGER "audit_events_append_only" ON "audit_events"',
    onPostgres('UPDATE OR TRUNCATE'),
  ],
};

export class EraseAuditEventsInPlace1763700042000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { int64, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'personal_members',
        columns: [
          {
            name: 'event_id',
            type: int64,
            isPrimary: true,
            primaryKeyConstraintName: 'pk_personal_members',
          },
          { name: 'subject_type', type: text },
          { name: 'subject_id', type: text },
          { name: 'members', type: text },
        ],
        indices: [
          {
            name: 'idx_personal_members_subject',
            columnNames: ['subject_type', 'subject_id', 'event_id'],
          },
        ],
      }),
    );
    for (const statement of UP[engineOf(queryRunner.dataSource)]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN[engineOf(queryRunner.dataSource)]) await queryRunner.query(statement);
    await queryRunner.dropTable('personal_members');
  }
}
