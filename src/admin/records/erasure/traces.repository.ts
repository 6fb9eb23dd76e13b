import { Injectable } from '@nestjs/common';
import {
  type EntityTarget,
  type FindOptionsWhere,
  In,
  IsNull,
  Like,
  MoreThan,
  Not,
  type ObjectLiteral,
  Raw,
  type Repository,
} from 'typeorm';
import { ERASED } from '../../../platform/audit/erased';
import { isOperator, type Subject, subjectText } from '../../../platform/audit/subject';
import { Database } from '../../../platform/database/database';
import { countRowsUpTo } from '../../../platform/database/entities/count-up-to';
import { StoredEvent } from '../../../platform/events/stored-event.entity';
import { IdempotentResponse } from '../../../platform/http/idempotency/idempotent-response.entity';
import { ClientChange } from '../../../platform/request-log/client-change.entity';
import { LoggedRequest } from '../../../platform/request-log/logged-request.entity';
import { StoredRun } from '../../../platform/jobs/stored-run.entity';
import { parseDecimalInt64 } from '../../../platform/values/int64';

/** Kinds of rows about a subject outside the audit log. */
export const TRACES = [
  /** The API key itself, with its owner. */
  'apiKeys',
  /** Changes of the record by clients, with their addresses. */
  'clientChanges',
  /** Events of the module that a handler has still to receive. */
  'storedEvents',
  /** Responses that are kept for repetitions of the creation. */
  'idempotentResponses',
  /** Sessions of the console, of a person or a key. */
  'sessions',
  /** Saved lists of a person or a key. */
  'savedViews',
  /** Runs of jobs that a person or a key began, in whose name they go on. */
  'jobRuns',
  /** Forms of the record's pages that a person typed while not signed in. */
  'keptForms',
] as const;

export type TraceName = (typeof TRACES)[number];

/** Table of API keys, by its name: its entity is the auth module's own. */
const KEYS = 'api_keys';

/** Tables of the console, by their names: no command loads the console. */
const SESSIONS = 'admin_sessions';
const VIEWS = 'saved_views';

/** Members of a session that are of use here. */
interface Session {
  readonly id: string;
  readonly actor: string;
  /** As JSON; null if there is none. */
  readonly storedForm: string | null;
}

/** Members of an API key that are of use here. */
interface Key {
  readonly id: string;
  readonly owner: string | null;
}

interface View {
  readonly owner: string;
  readonly isShared: boolean;
  readonly ownerName: string;
}

/** The rows of one kind about a subject. */
interface Selection {
  readonly entity: EntityTarget<ObjectLiteral>;
  readonly where: FindOptionsWhere<ObjectLiteral>;
  /** Member that pages are ordered by, each value of which is there once. */
  readonly by: string;
}

/** Changes by clients whose addresses one transaction erases before the last. */
const BATCH = 500;

/** Rows in memory at a time. */
const PAGE = 500;

/** Finds and erases what the tables of the service itself have of a subject, besides the audit log. */
@Injectable()
export class TracesRepository {
  constructor(private readonly database: Database) {}

  /** Counts the rows of each kind, up to a limit. */
  async count(subject: Subject, limit: number): Promise<Record<TraceName, number>> {
    const counts: [TraceName, number][] = [];
    for (const name of TRACES) counts.push([name, await this.countOf(subject, name, limit)]);
    return Object.fromEntries(counts) as Record<TraceName, number>;
  }

  private async countOf(subject: Subject, name: TraceName, limit: number): Promise<number> {
    if (name === 'keptForms') return (await this.keptForms(subject)).length;
    const selection = this.selection(subject, name);
    if (!selection) return 0;
    return this.database.scan(selection.entity, async (rows) => {
      const found = rows.createQueryBuilder('held').select('1', 'held').where(selection.where);
      return countRowsUpTo(found, limit);
    });
  }

  /** Yields the rows of a kind, in pages. */
  async *pages(subject: Subject, name: TraceName): AsyncGenerator<object[], void, undefined> {
    if (name === 'keptForms') {
      const forms = await this.keptForms(subject);
      yield forms.map(({ storedForm }) => JSON.parse(storedForm ?? '{}') as object);
      return;
    }
    const selection = this.selection(subject, name);
    if (!selection) return;
    const { entity, by } = selection;
    let { where } = selection;
    for (;;) {
      const rows = await this.database.scan(entity, (held) =>
        held.find({ where, order: { [by]: 'ASC' }, take: PAGE }),
      );
      yield rows.map(({ tokenHash: _token, sealedTokens: _tokens, ...row }) => row);
      if (rows.length < PAGE) return;
      where = { ...where, [by]: MoreThan(rows.at(-1)?.[by]) };
    }
  }

  /**
   * Deletes what {@link pages} finds, or what in it identifies a person, in the transaction in progress.
   *
   * @param after id of the last change by a client whose address is erased already
   */
  async erase(subject: Subject, after: bigint): Promise<void> {
    const { id } = subject;
    const [, event, response] = this.ofRecord(subject);
    for (let last: bigint | undefined = after; last !== undefined;) {
      last = await this.eraseAddresses(subject, last);
    }
    await this.rows(StoredEvent).delete(event);
    await this.rows(IdempotentResponse).delete(response);
    const forms = await this.keptForms(subject);
    await this.rows<Session>(SESSIONS).update({ id: In(forms.map((form) => form.id)) }, { storedForm: null });
    await this.rows<Session>(SESSIONS).delete({ actor: id });
    await this.rows<View>(VIEWS).delete({ owner: id, isShared: false });
    await this.rows<View>(VIEWS).update({ owner: id }, { ownerName: ERASED });
    const run = this.ofActor(subject);
    if (run) await this.rows(StoredRun).update(run, { actor: JSON.stringify({ name: id }) });
  }

  /** Erases the owner of an API key, in the transaction in progress. */
  async eraseOwner(id: string): Promise<void> {
    await this.rows<Key>(KEYS).update({ id }, { owner: null });
  }

  /**
   * Erases the addresses of some changes of a record by clients, and of their requests in the request log, in the transaction in
   * progress: of the first after a change.
   *
   * @returns id of the last of them; undefined if there are no more
   */
  async eraseAddresses(subject: Subject, after: bigint): Promise<bigint | undefined> {
    const [change] = this.ofRecord(subject);
    if (!change) return undefined;
    const changes = await this.rows(ClientChange).find({
      where: { ...change, id: MoreThan(after) },
      select: { id: true, requestId: true },
      order: { id: 'ASC' },
      take: BATCH,
    });
    const requests = [...new Set(changes.map(({ requestId }) => requestId))];
    const isKnown = { address: Not(IsNull()) };
    await this.rows(LoggedRequest).update({ requestId: In(requests), ...isKnown }, { address: null });
    const ids = changes.map(({ id }) => id);
    await this.rows(ClientChange).update({ ...change, id: In(ids), ...isKnown }, { address: null });
    return ids.at(-1);
  }

  private async keptForms(subject: Subject): Promise<Pick<Session, 'id' | 'storedForm'>[]> {
    const name = subjectText(subject);
    const paths = [`/admin/records/${name}`, `/admin/${name}`];
    const sessions = await this.rows<Session>(SESSIONS).find({
      where: { storedForm: Not(IsNull()) },
      select: { id: true, storedForm: true },
    });
    return sessions.filter(({ storedForm }) => {
      const { address = '' } = JSON.parse(storedForm ?? '{}') as { address?: string };
      return paths.some(
        (path) => address === path || ['/', '?'].some((end) => address.startsWith(path + end)),
      );
    });
  }

  /** Selects rows about a subject; undefined if there can be none. */
  private selection(subject: Subject, name: Exclude<TraceName, 'keptForms'>): Selection | undefined {
    const [change, event, response] = this.ofRecord(subject);
    const run = this.ofActor(subject);
    const { id } = subject;
    const selections: Record<typeof name, Selection | undefined> = {
      apiKeys: subject.type === 'keys' ? { entity: KEYS, where: { id }, by: 'id' } : undefined,
      clientChanges: change && { entity: ClientChange, where: change, by: 'id' },
      storedEvents: { entity: StoredEvent, where: event, by: 'id' },
      idempotentResponses: { entity: IdempotentResponse, where: response, by: 'key' },
      sessions: { entity: SESSIONS, where: { actor: id }, by: 'id' },
      savedViews: { entity: VIEWS, where: { owner: id }, by: 'id' },
      jobRuns: run && { entity: StoredRun, where: run, by: 'id' },
    };
    return selections[name];
  }

  /** Conditions on the rows about a record; the first is undefined if the id is not that of one. */
  private ofRecord({ type, id }: Subject) {
    const recordId = parseDecimalInt64(id);
    const name = subjectText({ type, id });
    return [
      recordId === undefined ? undefined : { kind: type, recordId },
      { subject: name },
      { location: Like(`/v%/${name.replaceAll(/[%_\\]/g, '')}`) },
    ] as const;
  }

  /** Condition on the runs of jobs that a person or a key began; undefined if the subject is neither. */
  private ofActor(subject: Subject): FindOptionsWhere<StoredRun> | undefined {
    if (!isOperator(subject)) return undefined;
    const nameIn =
      this.database.engine === 'postgres'
        ? (actor: string) => `CAST(${actor} AS json) ->> 'name'`
        : (actor: string) => `json_extract(${actor}, '$.name')`;
    return { actor: Raw((actor) => `${nameIn(actor)} = :name`, { name: subject.id }) };
  }

  private rows<Entity extends object>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.database.dataSource.getRepository(entity);
  }
}
