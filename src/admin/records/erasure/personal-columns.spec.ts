import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityMetadata } from 'typeorm';
import { describeOneEngine } from '../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { AuditEvent } from '../../../platform/audit/audit-event.entity';
import { PersonalMembers } from '../../../platform/audit/personal-members.entity';
import type { Subject } from '../../../platform/audit/subject';
import { Database } from '../../../platform/database/database';
import { ErasureService } from './erasure.service';

const PROJECT = join(__dirname, '..', '..', '..', '..');

/** The fate of a column in an erasure: emptied, or left for the reason that the page gives in its table of what stays. */
type Fate = 'erased' | `stays: ${string}`;

const ID_OF_ACTOR = "stays: The actor's id, such as `oidc:00u1`";
const ID_OF_REQUEST = 'stays: Ids of requests that a client chose';
const ADDRESS_OF_CLIENT = "stays: Addresses of a key's requests";
const KEY = 'stays: The name of a key, and the networks that it works from';
const JOB = 'stays: Arguments and last errors of jobs and of handlers of events';
/** Of features, whose modules say which columns an erasure empties. */
const FIELD_OF_FEATURE = 'stays: Fields that the module does not mark `isPersonal`';
const SHARED = 'stays: Saved lists that the person shared';

/** Every column of the service's own tables that may identify a person. */
const PERSONAL: Readonly<Record<string, Readonly<Record<string, Fate>>>> = {
  admin_sessions: {
    key_id: 'erased',
    lineage_id: 'erased',
    person_name: 'erased',
    provider_session: 'erased',
    sealed_tokens: 'erased',
    address: 'erased',
    user_agent: 'erased',
    notice: 'erased',
    kept_form: 'erased',
  },
  api_keys: { name: KEY, owner: 'erased', networks: KEY },
  audit_events: {
    actor: ID_OF_ACTOR,
    actor_name: 'erased',
    before: 'erased',
    after: 'erased',
    request_id: ID_OF_REQUEST,
    address: 'erased',
    subject_id: ID_OF_ACTOR,
  },
  client_changes: { request_id: ID_OF_REQUEST, address: 'erased' },
  idempotent_answers: { key: 'erased', body: 'erased', location: 'erased' },
  import_batches: { refused: 'stays: Refused rows of an import' },
  import_file_parts: { bytes: 'stays: The file of an import' },
  import_runs: {
    file_name: 'stays: Names of imported files',
    started_by: ID_OF_ACTOR,
    undo_actor: ID_OF_ACTOR,
  },
  job_runs: { arguments: JOB, actor: 'erased', cursor: JOB, error: JOB },
  personal_members: { subject_id: ID_OF_ACTOR },
  request_log: { request_id: ID_OF_REQUEST, address: ADDRESS_OF_CLIENT },
  saved_views: { name: SHARED, query: SHARED, owner: ID_OF_ACTOR, owner_name: 'erased' },
  scheduled_jobs: { error: JOB },
  service_modes: { actor: ID_OF_ACTOR, reason: 'stays: The reason for read-only mode' },
  stored_events: { subject: 'erased', payload: 'erased', error: 'erased' },
};

/** Texts that the service writes itself, or that name parts of it: ids, states, hashes, operations, processes. */
const OF_THE_SERVICE: Readonly<Record<string, readonly string[]>> = {
  admin_sent_forms: ['id'],
  admin_sessions: ['id', 'token_hash', 'issuer', 'scopes'],
  api_keys: ['id', 'token_hash', 'hint', 'scopes', 'lineage_id'],
  audit_events: ['action', 'subject_type'],
  client_changes: ['kind', 'verb', 'operation', 'key_id'],
  idempotent_answers: ['lineage_id', 'operation', 'fingerprint'],
  import_batches: ['ids', 'versions', 'left_alone'],
  import_runs: ['kind', 'format', 'digest'],
  job_runs: ['job', 'state', 'locked_by'],
  monthly_uses: ['lineage_id'],
  operation_use_days: ['key_id', 'operation'],
  operation_uses: ['key_id', 'operation'],
  personal_members: ['subject_type', 'members'],
  request_log: ['trace_id', 'key_id', 'method', 'route', 'outcome', 'code', 'message', 'timeline', 'node'],
  saved_views: ['kind'],
  scheduled_jobs: ['name', 'schedule', 'locked_by'],
  service_modes: ['name'],
  serving_processes: ['id', 'host', 'version', 'node_version'],
  stored_events: ['event', 'handler', 'consumer', 'locked_by'],
  traffic_minutes: ['process_id'],
};

const TYPES_WITHOUT_TEXT: ReadonlySet<unknown> = new Set([
  ...['bigint', 'boolean', 'date', 'double precision', 'integer', Date],
]);

const PERSON: Subject = { type: 'people', id: 'oidc:planted' };
const KEY_SUBJECT: Subject = { type: 'keys', id: 'key_00000000planted0' };
const RECORD: Subject = { type: 'pets', id: '4711' };

/** Columns by which a row belongs to a subject, or that a rule of the table wants. */
const LINKS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  admin_sessions: {
    key_id: PERSON.id,
    lineage_id: PERSON.id,
    kept_form: JSON.stringify({ fields: 'planted in admin_sessions.kept_form' }),
  },
  api_keys: { id: KEY_SUBJECT.id, revoked_at: new Date() },
  audit_events: {
    actor: PERSON.id,
    before: JSON.stringify({ name: 'planted in audit_events.before' }),
    after: JSON.stringify({ name: 'planted in audit_events.after' }),
  },
  client_changes: { kind: RECORD.type, record_id: BigInt(RECORD.id) },
  idempotent_answers: { location: `/v1/pets/${RECORD.id}` },
  job_runs: { actor: JSON.stringify({ name: PERSON.id, personName: 'planted in job_runs.actor' }) },
  saved_views: { owner: PERSON.id, is_shared: true },
  stored_events: { subject: `pets/${RECORD.id}` },
};

/** Returns a row with a text in every column that an erasure is to empty. */
function plantedRow({ tableName, columns }: EntityMetadata): object {
  const links = LINKS[tableName] ?? {};
  const values = columns
    .filter(({ isGenerated }) => !isGenerated)
    .map(({ databaseName, propertyName, type, isNullable }) => {
      if (databaseName in links) return [propertyName, links[databaseName]];
      if (PERSONAL[tableName]?.[databaseName] === 'erased')
        return [propertyName, `planted in ${tableName}.${databaseName}`];
      if (isNullable) return [propertyName, null];
      if (!TYPES_WITHOUT_TEXT.has(type)) return [propertyName, type === 'simple-array' ? ['x'] : 'x'];
      return [propertyName, type === Date ? new Date() : type === 'boolean' ? false : 1];
    });
  return Object.fromEntries(values) as object;
}

describeOneEngine('Columns that may identify a person', (engine) => {
  let service: TestService;
  let database: Database;

  beforeAll(async () => {
    service = await startTestService(engine);
    database = service.app.get(Database);
  });
  afterAll(() => service.stop());

  it('are known: each column with a text is listed as one of them, or as written by the service', async () => {
    // Those of features are marked `isPersonal` there.
    const files = globSync('src/{admin,auth,health,platform,process}/**/*.entity.ts', { cwd: PROJECT });
    const loaded = await Promise.all(files.map((file) => import(join(PROJECT, file)) as Promise<object>));
    const own = new Set(loaded.flatMap((each) => Object.values(each) as unknown[]));
    const entities = database.dataSource.entityMetadatas.filter(({ target }) => own.has(target));
    const found = entities.map(({ tableName, columns }) => [
      tableName,
      columns
        .filter(({ type }) => !TYPES_WITHOUT_TEXT.has(type))
        .map(({ databaseName }) => databaseName)
        .sort(),
    ]);
    const tables = new Set([...Object.keys(PERSONAL), ...Object.keys(OF_THE_SERVICE)]);
    const listed = [...tables].map((table) => [
      table,
      [...Object.keys(PERSONAL[table] ?? {}), ...(OF_THE_SERVICE[table] ?? [])].sort(),
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(found));
  });

  it('are empty once the subject is erased, where they are said to be', async () => {
    const { dataSource } = database;
    const tables = Object.entries(PERSONAL)
      .filter(([, columns]) => Object.values(columns).includes('erased'))
      .map(([table]) => table);
    expect(tables).toEqual(Object.keys(LINKS));
    const metadata = tables.map((table) => dataSource.getMetadata(table));
    for (const each of metadata) await dataSource.getRepository(each.target).insert(plantedRow(each));
    const { type: subjectType, id: subjectId } = PERSON;
    const { id: eventId } = await dataSource.getRepository(AuditEvent).findOneByOrFail({ actor: subjectId });
    const named = { eventId, subjectType, subjectId, members: 'name' };
    await dataSource.getRepository(PersonalMembers).insert(named);
    const planted = async () => {
      const rows: unknown[] = [];
      for (const { target } of metadata) rows.push(await dataSource.getRepository(target).find());
      const text = JSON.stringify(rows, (_name, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      return [...new Set(text.match(/planted in [\w.]+/g))];
    };
    expect((await planted()).length).toBeGreaterThan(tables.length);
    const erasure = service.app.get(ErasureService, { strict: false });
    for (const subject of [PERSON, KEY_SUBJECT, RECORD]) await erasure.erase(subject, 'letter');
    expect(await planted()).toEqual([]);
  });

  it('stand in the page with the time for which they stay', () => {
    const page = readFileSync(join(PROJECT, 'docs/operations/erasure.md'), 'utf8');
    const [, table = ''] = page.split('## What stays, and for how long');
    const rows = [...table.matchAll(/^\| (.+?) +\|/gm)].map(([, first]) => first);
    const reasons = Object.values(PERSONAL).flatMap((columns) => Object.values(columns));
    const missing = [FIELD_OF_FEATURE, ...reasons]
      .filter((fate) => fate !== 'erased')
      .filter((fate) => !rows.includes(fate.slice('stays: '.length)));
    expect([...new Set(missing)]).toEqual([]);
  });
});
