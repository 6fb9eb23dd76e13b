import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { isStorableText } from '../../../platform/values/kinds/text.kind';
import { AuditTrailService } from '../../audit/audit-trail.service';
import { RecordsService } from '../../records/records.service';
import { RequestsService } from '../../requests/requests.service';
import { AUDIT } from '../audit/audit.controller';
import type { ConsoleRequest } from '../http/console-request';
import { KEYS } from '../keys/keys.controller';
import { ConsoleNavigation, type NavigationLink } from '../frame/navigation';
import { titleOf } from '../ui/record-names';
import { listPath, recordPath } from '../records/record-paths';
import { recordTitle } from '../records/fields/record-title';
import { findRecords, numberIn, spellings } from '../records/find-records';
import { REQUESTS } from '../requests/requests.controller';
import { withWords } from '../requests/request-words';

/** Limit of results in one group. */
const MOST = 5;

/** Form of a request id. */
const REQUEST_ID = /^[\x21-\x7e]+$/;
/** The subject of audit events: `pets/3`, `keys/key_0123456789abcdef`. */
const SUBJECT = /^([a-z][a-z-]*)\/(\S+)$/;

/** A result of a search. */
export interface SearchResult {
  readonly title: string;
  readonly path: string;
  /** A note that distinguishes results of the same title. */
  readonly note?: string;
}

/** The results of one type. */
export interface SearchResultGroup {
  readonly title: string;
  readonly items: readonly SearchResult[];
}

/**
 * Finds anything that has a page in the console. Each query to the database uses an index and reads a few rows, so its cost
 * does not grow with the amount of data.
 */
@Injectable()
export class FindService {
  constructor(
    private readonly navigation: ConsoleNavigation,
    private readonly records: RecordsService,
    private readonly keys: ApiKeysService,
    private readonly requests: RequestsService,
    private readonly trail: AuditTrailService,
  ) {}

  /** Finds what the operator may see for a text, in groups by type. */
  async find(text: string, request: ConsoleRequest): Promise<SearchResultGroup[]> {
    if (text === '' || !isStorableText(text)) return [];
    const links = this.navigation.linksFor(request);
    const seen = (path: string) => links.some((link) => link.path === path);
    const groups: SearchResultGroup[] = [{ title: 'Pages', items: pagesCalled(text, links) }];
    for (const recordType of this.records.recordTypes.filter((each) => seen(listPath(each)))) {
      groups.push({ title: titleOf(recordType), items: await this.findRecords(recordType, text) });
    }
    if (seen(KEYS.path)) groups.push({ title: KEYS.title, items: await this.findKeys(text) });
    if (seen(REQUESTS.path)) groups.push({ title: REQUESTS.title, items: await this.findRequests(text) });
    if (seen(AUDIT.path)) groups.push({ title: AUDIT.title, items: await this.findEvents(text) });
    return groups.filter(({ items }) => items.length > 0);
  }

  private async findRecords(recordType: AdminRecords, text: string): Promise<SearchResult[]> {
    const found = await findRecords(this.records, recordType, text, { removed: 'with', limit: MOST });
    return found.map((record) => ({
      title: recordTitle(recordType, record),
      path: recordPath(recordType, record.values.id),
      note: `${recordType.one} ${record.values.id}${record.removedAt ? ', removed' : ''}`,
    }));
  }

  private async findKeys(text: string): Promise<SearchResult[]> {
    const found = new Map(await this.keys.byId([text]));
    for (const key of await this.keys.beginning(spellings(text), MOST)) found.set(key.id, key);
    return [...found.values()].slice(0, MOST).map(({ id, name, hint, status }) => ({
      title: name,
      path: `${KEYS.path}/${id}`,
      note: `${hint}, ${status}`,
    }));
  }

  private async findRequests(requestId: string): Promise<SearchResult[]> {
    if (!REQUEST_ID.test(requestId)) return [];
    const { items } = await this.requests.list({ requestId }, { limit: MOST });
    return items.map(withWords).map(({ target, path, statusText, time }) => ({
      title: target,
      path,
      note: `status ${statusText}, ${time} UTC`,
    }));
  }

  /** Finds an event by its number, and the lists of changes of a subject and by an actor. */
  private async findEvents(text: string): Promise<SearchResult[]> {
    const found: SearchResult[] = [];
    const id = numberIn(text, ['event']);
    if (id !== undefined) {
      const [event] = await this.trail.list({}, { before: id + 1n, limit: 1 });
      if (event?.id === id) {
        found.push({ title: event.action, path: `${AUDIT.path}/${id}`, note: `event ${id}` });
      }
    }
    const [, subjectType, subjectId] = SUBJECT.exec(text) ?? [];
    if (subjectType && (await this.trail.list({ subjectType, subjectId }, { limit: 1 })).length > 0) {
      found.push({ title: `Changes of ${text}`, path: `${AUDIT.path}?subject=${encodeURIComponent(text)}` });
    }
    if ((await this.trail.list({ actor: text }, { limit: 1 })).length > 0) {
      found.push({ title: `Changes by ${text}`, path: `${AUDIT.path}?actor=${encodeURIComponent(text)}` });
    }
    return found;
  }
}

/** The pages of the navigation whose title contains a text. */
function pagesCalled(text: string, links: readonly NavigationLink[]): SearchResult[] {
  const part = text.toLowerCase();
  const called = links.filter(({ title }) => title.toLowerCase().includes(part));
  return called.slice(0, MOST).map(({ title, path }) => ({ title, path }));
}
