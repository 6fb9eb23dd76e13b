import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { AuditEvent } from '../../platform/audit/audit-event.entity';
import { AuditEventsRepository, type AuditFilter } from '../../platform/audit/audit-events.repository';
import type { Subject } from '../../platform/audit/subject';
import { AuditLog } from '../../platform/audit/audit-log';
import type { LogWindow } from '../../platform/database/entities/log-search';
import { exactJson } from '../../platform/values/exact-json';
import { bulkSummary, importSummary, isOfMany, isOfParts, undoneInWords } from './bulk-changes';
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
  /** Id of the entry of the bulk change, import or undo that this is a part of; null for an entry of its own. */
  readonly whole: bigint | null;
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
   * Lists changes like {@link list}, with each bulk change, import and undo as one entry, which the event about its first part stands
   * for: what belongs to one is left out, unless the filter names a record, or an action on single records.
   */
  async listFolded(filter: AuditFilter, window: LogWindow): Promise<AuditEntry[]> {
    return (await this.collect(filter, window, Infinity)).items;
  }

  /** Lists changes like {@link listFolded}, but stops after a second, for a person who waits. */
  searchBriefly(filter: AuditFilter, window: LogWindow): Promise<AuditPage> {
    return this.collect(filter, window, LOOK_MS);
  }

  private async collect(
    { subjectId, action, ...filter }: AuditFilter,
    { before, limit }: LogWindow,
    withinMs: number,
  ): Promise<AuditPage> {
    const end = performance.now() + withinMs;
    const isFolded = subjectId === undefined && (typeof action !== 'string' || isOfMany({ action }));
    const where = { ...filter, subjectId, action, ...(isFolded && { whole: { isSet: false } as const }) };
    const found: AuditEvent[] = [];
    for (let from = before; ;) {
      const { items, lookedBackTo } = await this.events.searchPart(where, {
        before: from,
        limit: limit - found.length,
      });
      found.push(...items);
      if (lookedBackTo === undefined || performance.now() > end) {
        const reached = lookedBackTo === undefined ? undefined : await this.log.find(lookedBackTo);
        const entries = isFolded ? await this.upToDate(found) : found.map(viewEvent);
        return { items: entries, lookedBackTo: reached && { id: reached.id, at: reached.at } };
      }
      from = lookedBackTo;
    }
  }

  /** Reads events, with what the newest part of a whole says of it in those that stand for one. */
  private async upToDate(events: readonly AuditEvent[]): Promise<AuditEntry[]> {
    const heads = events.filter((event) => isOfParts(event) && event.whole === null);
    const newest = await this.events.newestParts(heads.map(({ id }) => id));
    const parts = new Map(newest.map((part) => [`${part.whole} ${part.action}`, part]));
    return events.map((event) => {
      const part = parts.get(`${event.id} ${event.action}`);
      return part ? { ...viewEvent(event), after: viewEvent(part).after } : viewEvent(event);
    });
  }

  /** One event by its id, if it exists. */
  async find(id: bigint): Promise<AuditEntry | undefined> {
    const event = await this.log.find(id);
    return event && (await this.upToDate([event]))[0];
  }

  /** Names what some events have undone, `import 7` or `change 12`, by their ids: what the events say that stand for their wholes. */
  async undoneBy(events: readonly Pick<AuditEvent, 'id' | 'whole'>[]): Promise<ReadonlyMap<bigint, string>> {
    const wholes = new Set(events.flatMap(({ whole }) => whole ?? []));
    const heads = wholes.size > 0 ? await this.events.withIds([...wholes]) : [];
    const undone = new Map(heads.map((head) => [head.id, undoneInWords(viewEvent(head))]));
    return new Map(
      events.flatMap(({ id, whole }) => {
        const words = whole === null ? undefined : undone.get(whole);
        return words === undefined ? [] : [[id, words] as const];
      }),
    );
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
  const { id, actor, actorName, action, subjectType, subjectId, requestId, address, whole } = event;
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
    whole,
  };
}
