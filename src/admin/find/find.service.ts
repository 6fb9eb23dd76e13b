import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../auth/api-keys.service';
import type { AdminRecords } from '../../platform/features/admin-records';
import { looksLikeToken, tokenHint } from '../../platform/security/api-key-token';
import { INT64_MAX } from '../../platform/values/int64';
import { isStorableText } from '../../platform/values/kinds/text.kind';
import { actionInWords, AuditTrailService } from '../audit/audit-trail.service';
import { recordTitle } from '../records/record-title';
import { RecordsService } from '../records/records.service';
import { requestTarget } from '../requests/request-target';
import { RequestsService } from '../requests/requests.service';
import { findRecords, numberIn, spellings } from './find-records';

/** Limit of results of one type. */
const MOST = 5;

/** Length to which the text to find is cut, in characters. */
const MAX_LENGTH = 200;

/** Form of a request id. */
const REQUEST_ID = /^[\x21-\x7e]+$/;
/** The subject of audit events: `pets/3`, `keys/key_0123456789abcdef`. */
const SUBJECT = /^([a-z][a-z-]*)\/(\S+)$/;

/** Thing that a search can find. */
export type FindTarget =
  | { readonly type: 'record'; readonly recordType: AdminRecords; readonly id: bigint }
  | { readonly type: 'key'; readonly id: string }
  | { readonly type: 'request'; readonly id: bigint; readonly requestId: string }
  | { readonly type: 'change'; readonly id: bigint; readonly subject: string }
  | { readonly type: 'changes'; readonly by: 'subject' | 'actor'; readonly value: string };

/** A result of a search. */
export interface Found {
  readonly target: FindTarget;
  readonly title: string;
  /** A note that distinguishes results of the same title. */
  readonly note?: string;
}

/**
 * Brings what a person typed into the form that is searched for. An API key becomes its hint, which finds it as well: the whole
 * key must not appear in a page, a terminal or a history.
 */
export function textToFind(typed: string): string {
  const text = typed.trim().slice(0, MAX_LENGTH);
  return looksLikeToken(text) ? tokenHint(text) : text;
}

/**
 * Finds records, API keys, requests and changes. Each query to the database uses an index and reads a few rows, so its cost
 * does not grow with the amount of data.
 */
@Injectable()
export class FindService {
  constructor(
    private readonly records: RecordsService,
    private readonly keys: ApiKeysService,
    private readonly requests: RequestsService,
    private readonly trail: AuditTrailService,
  ) {}

  /**
   * Finds at most five results of each type, those of one type after the other.
   *
   * @param text as {@link textToFind} returns it
   */
  async find(text: string): Promise<Found[]> {
    if (text === '' || !isStorableText(text)) return [];
    const found: Found[] = [];
    for (const recordType of this.records.recordTypes) {
      found.push(...(await this.findRecords(recordType, text)));
    }
    found.push(...(await this.findKeys(text)));
    found.push(...(await this.findRequests(text)));
    found.push(...(await this.findChanges(text)));
    return found;
  }

  private async findRecords(recordType: AdminRecords, text: string): Promise<Found[]> {
    const found = await findRecords(this.records, recordType, text, { removed: 'with', limit: MOST });
    return found.map((record) => ({
      target: { type: 'record', recordType, id: record.values.id },
      title: recordTitle(recordType, record),
      note: `${recordType.one} ${record.values.id}${record.removedAt ? ', removed' : ''}`,
    }));
  }

  private async findKeys(text: string): Promise<Found[]> {
    const found = new Map(await this.keys.byId([text]));
    for (const key of await this.keys.beginning(spellings(text), MOST)) found.set(key.id, key);
    return [...found.values()].slice(0, MOST).map(({ id, name, hint, status }) => ({
      target: { type: 'key', id },
      title: name,
      note: `${hint}, ${status}`,
    }));
  }

  private async findRequests(requestId: string): Promise<Found[]> {
    if (!REQUEST_ID.test(requestId)) return [];
    const found = await this.requests.named(requestId, MOST);
    return found.map((request) => ({
      target: { type: 'request', id: request.id, requestId: request.requestId },
      title: requestTarget(request),
      note: `status ${request.status ?? 'none'}, ${request.at.slice(0, 10)} ${request.at.slice(11, 19)} UTC`,
    }));
  }

  /** Finds a change by its number, and the lists of changes of a subject and by an actor. */
  private async findChanges(text: string): Promise<Found[]> {
    const found: Found[] = [];
    const id = numberIn(text, ['event']);
    // No id is above the largest.
    if (id !== undefined && id < INT64_MAX) {
      const [event] = await this.trail.list({}, { before: id + 1n, limit: 1 });
      if (event?.id === id) {
        const subject = `${event.subjectType}/${event.subjectId}`;
        found.push({
          target: { type: 'change', id, subject },
          title: actionInWords(event),
          note: `event ${id}`,
        });
      }
    }
    const [, subjectType, subjectId] = SUBJECT.exec(text) ?? [];
    if (subjectType && (await this.trail.list({ subjectType, subjectId }, { limit: 1 })).length > 0) {
      found.push({ target: { type: 'changes', by: 'subject', value: text }, title: `Changes of ${text}` });
    }
    if ((await this.trail.list({ actor: text }, { limit: 1 })).length > 0) {
      found.push({ target: { type: 'changes', by: 'actor', value: text }, title: `Changes by ${text}` });
    }
    return found;
  }
}
