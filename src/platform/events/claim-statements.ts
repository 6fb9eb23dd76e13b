import type { Database } from '../database/database';
import { parameter, type Statement } from '../database/statements/statement';
import { ERROR_WHEN_CLAIMED } from '../jobs/retries';
import { StoredEvent } from './stored-event.entity';

/** A claimed event as the engines return it: SQLite returns every integer as a bigint. */
export interface ClaimedRow extends Pick<StoredEvent, 'id' | 'event' | 'handler' | 'payload' | 'error'> {
  readonly attempts: number | bigint;
}

/** First event of its subject, with the id of the next one, if any. */
interface FirstRow extends ClaimedRow, Pick<StoredEvent, 'consumer' | 'subject'> {
  readonly next: bigint | null;
}

/** Statements that claim events for a process. */
export interface ClaimStatements {
  /** Claims what is due, of each consumer and subject the first. */
  readonly firsts: Statement<FirstRow>;
  /** Claims what is behind the first event of a subject, up to one that was tried before or that another handler gets. */
  readonly others: Statement<ClaimedRow>;
}

const COLUMNS = '"id", "event", "handler", "payload", "attempts", "error"';

/**
 * Prepares the statements that claim events.
 *
 * @param handlers number of the handlers that the process has, `:handler0` and so on
 */
export function claimStatements(database: Database, handlers: number): ClaimStatements {
  const names = Array.from({ length: handlers }, (_, index) => `handler${index}`);
  const isKnown = `"handler" IN (${names.map((name) => `:${name}`).join(', ')})`;
  const prepare = <Row>(ids: string, values: readonly string[], tail: string, isPipelined = false) =>
    database.prepare<Row>(
      (manager) =>
        manager
          .createQueryBuilder()
          .update(StoredEvent)
          .set({
            lockedBy: () => ':lockedBy',
            lockedUntil: () => ':lockedUntil',
            attempts: () => '"attempts" + 1',
            error: () => ERROR_WHEN_CLAIMED,
          })
          .where(`"id" IN (${ids})`)
          .setParameters(
            Object.fromEntries(
              ['lockedBy', 'lockedUntil', ...values, ...names].map((name) => [name, parameter(name)]),
            ),
          ),
      tail,
      { isPipelined },
    );
  const due = `
    SELECT stored."id" FROM "stored_events" stored
    WHERE stored."failed_at" IS NULL AND stored."due_at" <= :now
      AND (stored."locked_until" IS NULL OR stored."locked_until" < :now)
      AND stored.${isKnown}
      AND NOT EXISTS (
        SELECT 1 FROM "stored_events" earlier
        WHERE earlier."consumer" = stored."consumer" AND earlier."subject" = stored."subject"
          AND earlier."id" < stored."id" AND earlier."failed_at" IS NULL)
    ORDER BY stored."id" LIMIT :subjects
    ${database.engine === 'postgres' ? 'FOR UPDATE OF stored SKIP LOCKED' : ''}`;
  const next = `
    SELECT later."id" FROM "stored_events" later
    WHERE later."consumer" = "stored_events"."consumer" AND later."subject" = "stored_events"."subject"
      AND later."id" > "stored_events"."id" AND later."failed_at" IS NULL
    ORDER BY later."id" LIMIT 1`;
  const behind = `
    WITH behind AS (
      SELECT "id", "attempts", "handler" FROM "stored_events"
      WHERE "consumer" = :consumer AND "subject" = :subject AND "id" > :id AND "failed_at" IS NULL
      ORDER BY "id" LIMIT :limit)
    SELECT behind."id" FROM behind
    WHERE NOT EXISTS (
      SELECT 1 FROM behind other WHERE other."id" <= behind."id" AND NOT (other."attempts" = 0 AND other.${isKnown}))`;
  return {
    firsts: prepare<FirstRow>(
      due,
      ['now', 'subjects'],
      `RETURNING ${COLUMNS}, "consumer", "subject", (${next}) AS "next"`,
    ),
    others: prepare<ClaimedRow>(behind, ['consumer', 'subject', 'id', 'limit'], `RETURNING ${COLUMNS}`, true),
  };
}
