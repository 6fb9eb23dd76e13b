import { Injectable } from '@nestjs/common';
import { type EntityTarget, In, IsNull, Like, Not, type Repository } from 'typeorm';
import { ERASED, type Subject, subjectText } from '../../platform/audit/committed-event';
import { Database } from '../../platform/database/database';
import { StoredEvent } from '../../platform/events/stored-event.entity';
import { IdempotentResponse } from '../../platform/http/idempotency/idempotent-response.entity';
import { ClientChange } from '../../platform/request-log/client-change.entity';
import { LoggedRequest } from '../../platform/request-log/logged-request.entity';
import { parseDecimalInt64 } from '../../platform/values/int64';

/** Rows about a subject outside the audit log, by what they are. */
export interface Traces {
  /** Changes of the record by clients, with their addresses. */
  readonly clientChanges: readonly object[];
  /** Events of the module that a handler has still to receive. */
  readonly storedEvents: readonly object[];
  /** Responses that are kept for repetitions of the creation. */
  readonly idempotentResponses: readonly object[];
  /** Forms of the record's pages that a person typed while not signed in. */
  readonly keptForms: readonly object[];
  /** Sessions of the console, of a person or a key. */
  readonly sessions: readonly object[];
  /** Saved lists and choices of a person or a key. */
  readonly savedViews: readonly object[];
  readonly choices: readonly object[];
}

/** Tables of the console, by their names: no command loads the console. */
const SESSIONS = 'admin_sessions';
const VIEWS = 'saved_views';
const CHOICES = 'person_choices';

/** Members of a session that are of use here. */
interface Session {
  readonly id: string;
  readonly actor: string;
  /** As JSON; null if there is none. */
  readonly storedForm: string | null;
  readonly tokenHash: string;
  readonly sealedTokens: string | null;
}

interface Owned {
  readonly owner: string;
}

interface View extends Owned {
  readonly isShared: boolean;
  readonly ownerName: string;
}

/** Request ids of one statement. */
const BATCH = 500;

/** Finds and erases what the tables of the service itself have of a subject, besides the audit log. */
@Injectable()
export class TracesRepository {
  constructor(private readonly database: Database) {}

  async find(subject: Subject): Promise<Traces> {
    const { id } = subject;
    const [change, event, response] = this.ofRecord(subject);
    return {
      clientChanges: change ? await this.rows(ClientChange).findBy(change) : [],
      storedEvents: await this.rows(StoredEvent).findBy(event),
      idempotentResponses: await this.rows(IdempotentResponse).findBy(response),
      keptForms: (await this.keptForms(subject)).map(
        ({ storedForm }) => JSON.parse(storedForm ?? '{}') as object,
      ),
      sessions: (await this.rows<Session>(SESSIONS).findBy({ actor: id })).map(
        ({ tokenHash: _token, sealedTokens: _tokens, ...session }) => session,
      ),
      savedViews: await this.rows<Owned>(VIEWS).findBy({ owner: id }),
      choices: await this.rows<Owned>(CHOICES).findBy({ owner: id }),
    };
  }

  /** Deletes what {@link find} finds, or what in it tells of a person, in the transaction in progress. */
  async erase(subject: Subject): Promise<void> {
    const { id } = subject;
    const [change, event, response] = this.ofRecord(subject);
    if (change) await this.eraseAddresses(change);
    await this.rows(StoredEvent).delete(event);
    await this.rows(IdempotentResponse).delete(response);
    const forms = await this.keptForms(subject);
    await this.rows<Session>(SESSIONS).update({ id: In(forms.map((form) => form.id)) }, { storedForm: null });
    await this.rows<Session>(SESSIONS).delete({ actor: id });
    await this.rows<View>(VIEWS).delete({ owner: id, isShared: false });
    await this.rows<View>(VIEWS).update({ owner: id }, { ownerName: ERASED });
    await this.rows<Owned>(CHOICES).delete({ owner: id });
  }

  /** Erases the addresses of changes by clients, and of their requests in the request log. */
  private async eraseAddresses(change: Pick<ClientChange, 'kind' | 'recordId'>): Promise<void> {
    const changes = await this.rows(ClientChange).find({ where: change, select: { requestId: true } });
    const requests = [...new Set(changes.map(({ requestId }) => requestId))];
    for (let start = 0; start < requests.length; start += BATCH) {
      const requestId = In(requests.slice(start, start + BATCH));
      await this.rows(LoggedRequest).update({ requestId }, { address: null });
    }
    await this.rows(ClientChange).update(change, { address: null });
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

  private rows<Entity extends object>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.database.dataSource.getRepository(entity);
  }
}
