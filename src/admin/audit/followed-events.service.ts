import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SettledEvents } from '../../platform/audit/settled-events';
import { AuditEventNotFoundError, AuditEventsRemovedError } from './audit.errors';
import { type AuditEntry, AuditTrailService } from './audit-trail.service';
import { type Removal, REMOVAL } from './removal';

/** Events in memory at a time. */
const PAGE = 500;

/** Interval between reads of the end of the log, in milliseconds. */
const POLL_MS = 1_000;

/** Options for following the log. */
interface Following {
  /** Id of the last event that was read; without it, the oldest event that is kept comes first. */
  readonly after?: bigint | undefined;
  /** True to end once every event committed so far was yielded. */
  readonly isOnce?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * The audit log as another system follows it: oldest first, each event once it is settled. A reader that continues after the last
 * event it has read misses none.
 */
@Injectable()
export class FollowedEvents {
  private polling: Promise<bigint | undefined> | undefined;

  constructor(
    private readonly trail: AuditTrailService,
    private readonly settled: SettledEvents,
  ) {}

  /**
   * Returns the settled events after one, at most so many.
   *
   * @param after undefined begins with the oldest event that is kept
   * @throws AuditEventsRemovedError, AuditEventNotFoundError if the log has no event of this id, or AuditOnStandbyError
   */
  async page(after: bigint | undefined, limit: number): Promise<AuditEntry[]> {
    // However many readers ask at once, the database is asked once.
    this.polling ??= this.settled.newestId().finally(() => (this.polling = undefined));
    const upTo = await this.polling;
    return upTo === undefined ? [] : this.read(after, upTo, limit);
  }

  /**
   * Yields the settled events after one, page by page, and waits for more until the signal aborts.
   *
   * @throws as {@link page}
   */
  async *follow({ after, isOnce = false, signal }: Following): AsyncGenerator<AuditEntry[]> {
    let last = after;
    while (!signal.aborted) {
      const upTo = await this.settled.newestId();
      if (upTo !== undefined) {
        for await (const page of this.pages(last, upTo, signal)) {
          yield page;
          last = page.at(-1)?.id;
        }
        if (isOnce) return;
      }
      await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async *pages(
    after: bigint | undefined,
    upTo: bigint,
    signal: AbortSignal,
  ): AsyncGenerator<AuditEntry[]> {
    let last = after;
    while (!signal.aborted) {
      const page = await this.read(last, upTo, PAGE);
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      last = page.at(-1)?.id;
    }
  }

  private async read(after: bigint | undefined, upTo: bigint, limit: number): Promise<AuditEntry[]> {
    if (after === undefined) return this.trail.between(1n, upTo, limit);
    // With the last event read: its absence shows a log that was restored without it.
    const found = await this.trail.between(after, upTo > after ? upTo : after, limit + 1);
    const isThere = found[0]?.id === after;
    const events = isThere ? found.slice(1) : found.slice(0, limit);
    if (!isThere || events.length > 0) await this.assertUnbroken(after, isThere);
    return events;
  }

  /**
   * Must be called after the events were read: a removal is recorded before it begins.
   *
   * @throws AuditEventsRemovedError or AuditEventNotFoundError
   */
  private async assertUnbroken(after: bigint, isThere: boolean): Promise<void> {
    const removed = await this.newestRemoved();
    if (after < removed) {
      throw new AuditEventsRemovedError(
        `Changes after ${after} up to ${removed} have been removed at the end of their retention period. To continue with those that are kept, begin after ${removed}.`,
      );
    }
    if (isThere || after <= 0n || after === removed) return;
    throw new AuditEventNotFoundError(
      `The log has no change ${after}: it is another log, or was restored to an earlier state.`,
    );
  }

  /** The id of the newest event that was removed; 0 if none was. */
  private async newestRemoved(): Promise<bigint> {
    const { action, subject } = REMOVAL;
    const filter = { subjectType: subject.type, subjectId: subject.id, action };
    const [removal] = await this.trail.list(filter, { limit: 1 });
    return (removal?.after as unknown as Removal | undefined)?.lastEventId ?? 0n;
  }
}
