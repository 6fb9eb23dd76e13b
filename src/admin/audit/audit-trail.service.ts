import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { AuditEvent } from '../../platform/audit/audit-event.entity';
import { AuditEventsRepository, type AuditFilter } from '../../platform/audit/audit-events.repository';
import type { Subject } from '../../platform/audit/subject';
import { AuditLog } from '../../platform/audit/audit-log';
import type { LogWindow } from '../../platform/database/entities/log-search';
import { exactJson } from '../../platform/values/exact-json';
import { BULK_SUFFIX, bulkSummary, importSummary, isOfParts, undoneInWords } from './bulk-changes';
import { isWithin, rangesBegin, rangeStart } from './id-ranges';
import { readJson } from '../../platform/values/json-reader';

/** The record of one change. The members are stable: scripts read them. */
export interface AuditEntry {
  readonly id: bigint;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** `key_…` for an API key, `oidc:<subject>` for a person, `cli:<user of the operating system>`, or `service`. */
  readonly actor: string;
  /** Action, for example `keys.rotate`. */
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** The subject before the change; null if it did not exist. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** The subject after the change; null if it no longer exists. */
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly requestId: string | null;
  readonly address: string | null;
  /** The name of the person; null for an actor that is not a person of an OIDC provider. */
  readonly actorName: string | null;
}

/** One member that a change gave another value. */
export interface MemberChange {
  readonly member: string;
  /** Undefined if the subject did not have the member. */
  readonly before: unknown;
  /** Undefined if the subject no longer has the member. */
  readonly after: unknown;
}

/** Values to choose from when filtering events. */
export interface AuditChoices {
  readonly actors: readonly string[];
  readonly actions: readonly string[];
  readonly subjectTypes: readonly string[];
}

/** A page of the audit trail, newest first. */
export interface AuditPage {
  readonly items: AuditEntry[];
  /** Position that the search reached, if it ran out of time and left the rest for the next page. */
  readonly lookedBackTo: Pick<AuditEvent, 'id' | 'at'> | undefined;
}

/** Number of newest events from which {@link AuditChoices} are collected: reading every event would take too long. */
const CHOSEN_FROM = 1_000;

/** Time limit for a page that a person waits for, in milliseconds. */
const LOOK_MS = 1_000;

/** Events in memory at a time. */
const PAGE = 500;

/** Longer than a batch of an import or a bulk change takes from its first record to its audit event, in milliseconds. */
export const LONGEST_BATCH_MS = 60_000;
/** More imports, or bulk changes, than run at once: each has recorded one batch before it begins the next. */
export const MOST_AT_ONCE = 100;

/** The audit trail as operators read it: newest first. */
@Injectable()
export class AuditTrailService {
  constructor(
    private readonly log: AuditLog,
    private readonly events: AuditEventsRepository,
  ) {}

  async list(filter: AuditFilter, window: LogWindow): Promise<AuditEntry[]> {
    return (await this.log.list(filter, window)).map(viewEvent);
  }

  /**
   * Lists changes like {@link list}, with each bulk change as one entry: the changes of its records are left out, unless the
   * filter names a record or an action. The newest event stands for all parts of a bulk change, of an import or of its undo, unless the
   * filter names that.
   */
  async listFolded(filter: AuditFilter, window: LogWindow): Promise<AuditEntry[]> {
    return (await this.collect(filter, window, Infinity)).items;
  }

  /** Lists changes like {@link listFolded}, but stops after a second, for a person who waits. */
  searchBriefly(filter: AuditFilter, window: LogWindow): Promise<AuditPage> {
    return this.collect(filter, window, LOOK_MS);
  }

  private async collect(
    filter: AuditFilter,
    { before, limit }: LogWindow,
    withinMs: number,
  ): Promise<AuditPage> {
    const end = performance.now() + withinMs;
    const isFolded = filter.subjectId === undefined && filter.action === undefined;
    let folded = isFolded && before !== undefined ? await this.recordsOf(before) : [];
    const entries: AuditEntry[] = [];
    const shown = new Set<string>();
    let from = before;
    for (;;) {
      const { items, lookedBackTo } = await this.events.searchPart(filter, { before: from, limit });
      for (const entry of items.map(viewEvent)) {
        if (folded.some((events) => isWithin(events, entry.id))) continue;
        const { events } = (isFolded ? bulkSummary(entry) : undefined) ?? {};
        // What begins later was passed: the undo of an import has many.
        if (events) folded = [...folded.filter((other) => rangesBegin(other) < entry.id), events];
        if (await this.isShownBefore(entry, filter, before, shown)) continue;
        entries.push(entry);
        if (entries.length === limit) return { items: entries, lookedBackTo: undefined };
      }
      const last = lookedBackTo ?? items.at(-1)?.id;
      if (last === undefined || (lookedBackTo === undefined && items.length < limit))
        return { items: entries, lookedBackTo: undefined };
      from = beginOf(folded, last);
      if (performance.now() > end) {
        const reached = await this.log.find(last);
        return { items: entries, lookedBackTo: reached && { id: from, at: reached.at } };
      }
    }
  }

  /**
   * True of an event about a part of a change if a newer one of the same change stands for it: on this page or on one before.
   *
   * @param shown what stands on this page already; the event is added
   */
  private async isShownBefore(
    entry: AuditEntry,
    filter: AuditFilter,
    before: bigint | undefined,
    shown: Set<string>,
  ): Promise<boolean> {
    const { subjectType, subjectId, action } = entry;
    if (!isOfParts(entry) || filter.subjectId !== undefined) return false;
    const name = `${action} ${subjectType}/${subjectId}`;
    if (shown.has(name)) return true;
    shown.add(name);
    if (before === undefined) return false;
    const [newest] = await this.log.list({ ...filter, subjectType, subjectId, action }, { limit: 1 });
    return newest !== undefined && newest.id >= before;
  }

  /** One event by its id, if it exists. */
  async find(id: bigint): Promise<AuditEntry | undefined> {
    const event = await this.log.find(id);
    return event && viewEvent(event);
  }

  /**
   * Names what an event has undone, `import 7` or `change 12`; undefined if it undoes nothing. The event about the whole undo says
   * so, which is recorded last in the same transaction.
   */
  async undoneBy(
    event: Pick<AuditEvent, 'id' | 'action'> & { at: Date | string },
  ): Promise<string | undefined> {
    const begin = new Date(event.at);
    const end = new Date(begin.getTime() + LONGEST_BATCH_MS);
    const bulks = await this.log.first(event.action + BULK_SUFFIX, begin, end, MOST_AT_ONCE);
    const whole = bulks.map(viewEvent).find((bulk) => isWithin(bulkSummary(bulk)?.events ?? '', event.id));
    return whole && undoneInWords(whole);
  }

  /** The id ranges of the records' changes, if the event with this id is about a bulk change. */
  private async recordsOf(id: bigint): Promise<string[]> {
    const event = await this.find(id);
    const { events } = (event && bulkSummary(event)) ?? {};
    return events === undefined ? [] : [events];
  }

  /** The distinct values of the newest events, sorted. */
  async choices(): Promise<AuditChoices> {
    const recent = await this.log.recent(CHOSEN_FROM);
    const sorted = (of: (event: (typeof recent)[number]) => string) => [...new Set(recent.map(of))].sort();
    return {
      actors: sorted(({ actor }) => actor),
      actions: sorted(({ action }) => action),
      subjectTypes: sorted(({ subjectType }) => subjectType),
    };
  }

  /** Yields every event that existed when it was called, newest first, with one page in memory at a time. */
  async *pages(filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
    let before: bigint | undefined;
    for (;;) {
      const page = await this.list(filter, { before, limit: PAGE });
      yield page;
      before = page.at(-1)?.id;
      if (page.length < PAGE) return;
    }
  }

  /** Yields the events of {@link AuditEventsRepository.aboutOthers}, with one page in memory at a time. */
  async *aboutOthers(subject: Subject): AsyncGenerator<AuditEntry[]> {
    let after = 0n;
    for (;;) {
      const page = await this.events.aboutOthers(subject, after, PAGE);
      yield page.map(viewEvent);
      after = page.at(-1)?.id ?? after;
      if (page.length < PAGE) return;
    }
  }

  /** Counts the events of {@link aboutOthers}, up to a limit. */
  countAboutOthers(subject: Subject, limit: number): Promise<number> {
    return this.events.countAboutOthers(subject, limit);
  }
}

/** The id to continue below, past the changes that were folded. */
function beginOf(folded: readonly string[], id: bigint): bigint {
  const starts = folded.flatMap((events) => rangeStart(events, id) ?? []);
  return starts.reduce((least, start) => (start < least ? start : least), id);
}

/** The members whose values a change altered. */
export function changedMembers({ before, after }: Pick<AuditEntry, 'before' | 'after'>): MemberChange[] {
  const members = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...members]
    .map((member) => ({ member, before: before?.[member], after: after?.[member] }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

/**
 * Describes a change in one line, `status: available → sold`; for a bulk change, the values set. A dash if there is nothing to
 * say, or the subject did not exist both before and after.
 */
export function changesInWords(entry: Pick<AuditEntry, 'action' | 'before' | 'after'>): string {
  const word = (value: unknown) =>
    value === undefined ? '-' : typeof value === 'string' ? value : exactJson(value);
  const bulk = bulkSummary(entry);
  if (bulk) {
    const set = Object.entries(bulk.set).map(([member, value]) => `${member}: ${word(value ?? undefined)}`);
    return set.join('; ') || '-';
  }
  const imported = importSummary(entry);
  if (imported) return `file: ${imported.file}`;
  if (!entry.before || !entry.after) return '-';
  const changes = changedMembers(entry).map(
    ({ member, before, after }) => `${member}: ${word(before)} → ${word(after)}`,
  );
  return changes.join('; ') || '-';
}

/** Names what was done: `pets.update`, or `undo of change 12` for what undid an import or a change. */
export function actionInWords(
  entry: Pick<AuditEntry, 'action' | 'after'>,
  undone = undoneInWords(entry),
): string {
  return undone === undefined ? entry.action : `undo of ${undone}`;
}

/** Names the subject of a change: `pets/17`, or `75 pets` for a bulk change or an import. */
export function subjectInWords(entry: AuditEntry): string {
  const { changed, ids } = bulkSummary(entry) ?? {};
  const count = changed ?? importSummary(entry)?.imported;
  if (count === undefined) return `${entry.subjectType}/${entry.subjectId}`;
  return count === 1 && ids !== undefined
    ? `${entry.subjectType}/${ids}`
    : `${count.toLocaleString('en')} ${entry.subjectType}`;
}

/** Names the actor of a change, with the name of a person: `oidc:00u1 (Ana Lima)`. */
export function actorInWords({ actor, actorName }: Pick<AuditEntry, 'actor' | 'actorName'>): string {
  return actorName === null ? actor : `${actor} (${actorName})`;
}

/** Converts a stored event to the entry that operators read. */
export function viewEvent({ at, before, after, ...event }: AuditEvent): AuditEntry {
  const { id, actor, actorName, action, subjectType, subjectId, requestId, address } = event;
  const subject = (json: string | null) =>
    json === null ? null : (readJson(Buffer.from(json)) as Record<string, unknown>);
  return {
    id,
    at: at.toISOString(),
    actor,
    action,
    subjectType,
    subjectId,
    before: subject(before),
    after: subject(after),
    requestId,
    address,
    actorName,
  };
}
