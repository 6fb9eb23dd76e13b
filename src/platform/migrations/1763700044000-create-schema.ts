import { type MigrationInterface, type QueryRunner, Table, type TableOptions } from 'typeorm';
import { columnTypes, engineOf } from '../database/column-types';
import { createTextIndex } from '../database/statements/text-index';

/** The schema of the service without features, as of 1.2.0, the first release. */
export class CreateSchema1763700044000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tablesOf(queryRunner)) await queryRunner.createTable(table);
    for (const index of TEXT_INDEXES) await createTextIndex(queryRunner, index);
    for (const statement of APPEND_ONLY[engineOf(queryRunner.dataSource)]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { name } of tablesOf(queryRunner)) await queryRunner.dropTable(name);
    if (engineOf(queryRunner.dataSource) === 'sqlite') return;
    for (const name of FUNCTIONS) await queryRunner.query(`DROP FUNCTION "${name}"()`);
  }
}

/** Columns, indexes or constraints of a table. */
type Part = Pick<TableOptions, 'columns' | 'indices' | 'uniques'>;

const key = (type: string, ...names: string[]): Part => ({
  columns: names.map((name) => ({ name, type, isPrimary: true })),
});
const columns = (type: string, ...names: string[]): Part => ({
  columns: names.map((name) => ({ name, type })),
});
const optional = (type: string, ...names: string[]): Part => ({
  columns: names.map((name) => ({ name, type, isNullable: true })),
});
const index = (name: string, columnNames: string[]): Part => ({ indices: [{ name, columnNames }] });
const unique = (name: string, ...columnNames: string[]): Part => ({ uniques: [{ name, columnNames }] });

function tablesOf(queryRunner: QueryRunner): Table[] {
  const { boolean, date, double, instant, int64, integer, text } = columnTypes(queryRunner);
  const generated = { isPrimary: true, isGenerated: true, generationStrategy: 'increment' } as const;
  const id: Part = { columns: [{ name: 'id', type: int64, ...generated }] };
  const tables: Record<string, readonly Part[]> = {
    api_keys: [
      key(text, 'id'),
      columns(text, 'token_hash', 'hint', 'name', 'scopes', 'lineage_id'),
      optional(text, 'owner', 'networks'),
      optional(integer, 'limit_per_minute', 'quota_per_month'),
      columns(instant, 'created_at'),
      optional(instant, 'expires_at', 'disabled_at', 'revoked_at', 'last_used_at', 'disables_at'),
      unique('uq_api_keys_token_hash', 'token_hash'),
      index('idx_api_keys_lineage_id', ['lineage_id']),
    ],
    operation_uses: [
      key(text, 'key_id', 'operation'),
      columns(int64, 'count'),
      columns(instant, 'last_used_at'),
    ],
    operation_use_days: [
      key(text, 'key_id', 'operation'),
      key(date, 'day'),
      columns(int64, 'count'),
      index('idx_operation_use_days_day', ['day']),
    ],
    monthly_uses: [key(text, 'lineage_id'), columns(date, 'month'), columns(integer, 'used')],
    idempotent_answers: [
      key(text, 'lineage_id', 'operation', 'key'),
      columns(text, 'fingerprint', 'body'),
      columns(integer, 'status'),
      optional(text, 'location'),
      columns(instant, 'created_at'),
      index('idx_idempotent_answers_created_at', ['created_at']),
    ],
    audit_events: [
      id,
      columns(instant, 'at'),
      columns(text, 'actor', 'action', 'subject_type', 'subject_id'),
      optional(text, 'actor_name', 'before', 'after', 'request_id', 'address'),
      index('idx_audit_events_subject_id', ['subject_type', 'subject_id', 'id']),
      index('idx_audit_events_actor_id', ['actor', 'id']),
      index('idx_audit_events_at', ['at']),
    ],
    personal_members: [
      key(int64, 'event_id'),
      columns(text, 'subject_type', 'subject_id', 'members'),
      index('idx_personal_members_subject', ['subject_type', 'subject_id', 'event_id']),
    ],
    request_log: [
      key(int64, 'id'),
      columns(instant, 'at'),
      columns(text, 'request_id', 'outcome', 'node'),
      columns(double, 'duration_ms'),
      optional(text, 'trace_id', 'key_id', 'method', 'route', 'code', 'message', 'address', 'timeline'),
      optional(integer, 'status'),
      optional(double, 'wait_ms'),
      index('idx_request_log_request_id_id', ['request_id', 'id']),
      index('idx_request_log_address_id', ['address', 'id']),
      index('idx_request_log_code_id', ['code', 'id']),
      index('idx_request_log_key_id_id', ['key_id', 'id']),
      index('idx_request_log_outcome_id', ['outcome', 'id']),
      index('idx_request_log_route_id', ['route', 'id']),
    ],
    client_changes: [
      key(text, 'kind'),
      key(int64, 'record_id', 'id'),
      columns(text, 'verb', 'operation', 'request_id'),
      optional(text, 'key_id', 'address'),
      index('idx_client_changes_id', ['id']),
    ],
    stored_events: [
      id,
      columns(text, 'event', 'handler', 'consumer', 'payload'),
      optional(text, 'subject', 'locked_by', 'error'),
      columns(integer, 'attempts'),
      columns(instant, 'published_at', 'due_at'),
      optional(instant, 'locked_until', 'failed_at'),
      index('idx_stored_events_failed_at', ['failed_at', 'id']),
      index('idx_stored_events_subject', ['consumer', 'subject', 'id']),
    ],
    scheduled_jobs: [
      key(text, 'name'),
      columns(text, 'schedule'),
      columns(instant, 'due_at'),
      optional(text, 'locked_by', 'error'),
      optional(instant, 'locked_until', 'started_at', 'finished_at'),
    ],
    job_runs: [
      id,
      columns(text, 'job', 'arguments', 'actor', 'state'),
      columns(integer, 'attempts'),
      columns(instant, 'created_at', 'due_at'),
      optional(instant, 'advanced_at', 'ended_at', 'locked_until'),
      optional(text, 'locked_by', 'cursor', 'error'),
      optional(int64, 'done', 'total'),
      index('idx_job_runs_state_due_at_id', ['state', 'due_at', 'id']),
      index('idx_job_runs_ended_at', ['ended_at']),
    ],
    import_runs: [
      id,
      columns(text, 'kind', 'format', 'digest', 'file_name', 'started_by'),
      columns(integer, 'round'),
      columns(int64, 'rows', 'imported', 'refused', 'rejects_size'),
      columns(instant, 'started_at'),
      optional(int64, 'job', 'undone', 'left_alone'),
      optional(text, 'undo_actor'),
      optional(instant, 'finished_at', 'undone_at'),
      unique('uq_import_runs_content', 'kind', 'format', 'digest', 'round'),
    ],
    import_batches: [
      id,
      columns(int64, 'run_id'),
      columns(instant, 'at'),
      columns(integer, 'records', 'refused_size'),
      columns(text, 'ids', 'versions'),
      optional(text, 'left_alone', 'refused'),
      index('idx_import_batches_run_id_id', ['run_id', 'id']),
      index('idx_import_batches_at', ['at']),
    ],
    saved_views: [
      id,
      columns(text, 'kind', 'name', 'query', 'owner', 'owner_name'),
      columns(boolean, 'is_shared'),
      columns(instant, 'created_at'),
      unique('uq_saved_views_owner_kind_name', 'owner', 'kind', 'name'),
      index('idx_saved_views_kind_is_shared', ['kind', 'is_shared']),
    ],
    admin_sessions: [
      key(text, 'id'),
      columns(text, 'token_hash', 'key_id', 'lineage_id', 'address', 'user_agent'),
      columns(instant, 'created_at', 'last_seen_at'),
      optional(text, 'issuer', 'person_name', 'scopes', 'provider_session', 'sealed_tokens'),
      optional(text, 'notice', 'kept_form'),
      optional(instant, 'checked_at', 'check_begun_at'),
      unique('uq_admin_sessions_token_hash', 'token_hash'),
      index('idx_admin_sessions_lineage_id', ['lineage_id']),
      index('idx_admin_sessions_last_seen_at', ['last_seen_at']),
    ],
    admin_sent_forms: [
      key(text, 'id'),
      columns(instant, 'sent_at'),
      index('idx_admin_sent_forms_sent_at', ['sent_at']),
    ],
    service_modes: [
      key(text, 'name'),
      columns(instant, 'since'),
      columns(text, 'actor'),
      optional(text, 'reason'),
    ],
    serving_processes: [
      key(text, 'id'),
      columns(text, 'host', 'version', 'node_version'),
      columns(integer, 'pid'),
      columns(instant, 'started_at', 'seen_at'),
      optional(instant, 'left_at'),
      index('idx_serving_processes_seen_at', ['seen_at']),
    ],
    traffic_minutes: [
      key(integer, 'minute'),
      key(text, 'process_id'),
      columns(integer, 'requests', 'succeeded', 'client_errors', 'server_errors'),
      columns(integer, 'within_1_ms', 'within_2_5_ms', 'within_5_ms', 'within_10_ms', 'within_25_ms'),
      columns(integer, 'within_50_ms', 'within_100_ms', 'within_250_ms', 'within_500_ms'),
      columns(integer, 'within_1_s', 'within_2_5_s', 'within_5_s'),
    ],
  };
  return Object.entries(tables).map(([name, parts]) => {
    const primaryKeyConstraintName = `pk_${name}`;
    return new Table({
      name,
      columns: parts
        .flatMap((part) => part.columns ?? [])
        .map((column) => ({ ...column, ...(column.isPrimary && { primaryKeyConstraintName }) })),
      indices: parts.flatMap((part) => part.indices ?? []),
      uniques: parts.flatMap((part) => part.uniques ?? []),
    });
  });
}

const TEXT_INDEXES = [
  { name: 'idx_api_keys_name_id', table: 'api_keys', column: 'name' },
  { name: 'idx_api_keys_hint_id', table: 'api_keys', column: 'hint' },
];

/** Columns of an event that no erasure changes. */
export const KEPT = ['id', 'at', 'actor', 'action', 'subject_type', 'subject_id', 'request_id'];

/** The erasure of a subject that came after an event; from the newest event of the subject, where an erasure in progress is. */
const erasureOf = (condition: string, from = '"audit_events" erasure') =>
  `(SELECT erasure."id" FROM ${from} WHERE ${condition} AND erasure."id" > OLD."id" AND erasure."action" = 'audit.erase' ORDER BY erasure."id" DESC LIMIT 1) IS NOT NULL`;

/** True if an erasure is recorded of the subject of an event, of its actor, or of the person whom its members identify. */
export const IS_ERASED = [
  erasureOf(`erasure."subject_type" = 'people' AND erasure."subject_id" = OLD."actor"`),
  erasureOf(`erasure."subject_type" = 'keys' AND erasure."subject_id" = OLD."actor"`),
  erasureOf('erasure."subject_type" = OLD."subject_type" AND erasure."subject_id" = OLD."subject_id"'),
  erasureOf(
    'personal."event_id" = OLD."id"',
    '"personal_members" personal JOIN "audit_events" erasure ON erasure."subject_type" = personal."subject_type" AND erasure."subject_id" = personal."subject_id"',
  ),
].join(' OR ');

/** The newest event that was removed, as the events about removals say; newer ones stay. */
const lastRemoved = (max: string) =>
  `coalesce((SELECT max(${max}) FROM "audit_events" WHERE "subject_type" = 'audit' AND "subject_id" = 'events' AND "action" = 'audit.remove'), 0)`;

const FUNCTIONS = ['refuse_audit_event_change', 'refuse_audit_event_update', 'refuse_audit_event_removal'];

/** An event is only added, overwritten once an erasure is recorded, and removed once a removal is, whatever program asks. */
const APPEND_ONLY = {
  sqlite: [
    `CREATE TRIGGER "audit_events_no_update" BEFORE UPDATE ON "audit_events" WHEN NOT (${KEPT.map((name) => `NEW."${name}" IS OLD."${name}"`).join(' AND ')} AND (${IS_ERASED})) BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`,
    `CREATE TRIGGER "audit_events_no_delete" BEFORE DELETE ON "audit_events" WHEN OLD."id" > ${lastRemoved(`json_extract("after", '$.lastEventId')`)} BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`,
  ],
  postgres: [
    `CREATE FUNCTION "refuse_audit_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'audit_events is append-only'; END $$`,
    `CREATE TRIGGER "audit_events_append_only" BEFORE TRUNCATE ON "audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_event_change"()`,
    `CREATE FUNCTION "refuse_audit_event_update"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF ${KEPT.map((name) => `NEW."${name}" IS DISTINCT FROM OLD."${name}"`).join(' OR ')} OR NOT (${IS_ERASED}) THEN RAISE EXCEPTION 'audit_events is append-only'; END IF; RETURN NEW; END $$`,
    `CREATE TRIGGER "audit_events_overwritten" BEFORE UPDATE ON "audit_events" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_event_update"()`,
    `CREATE FUNCTION "refuse_audit_event_removal"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD."id" > ${lastRemoved(`("after"::json->>'lastEventId')::bigint`)} THEN RAISE EXCEPTION 'audit_events is append-only'; END IF; RETURN OLD; END $$`,
    `CREATE TRIGGER "audit_events_kept" BEFORE DELETE ON "audit_events" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_event_removal"()`,
  ],
};
