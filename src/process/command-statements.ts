import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import pTimeout from 'p-timeout';
import type { DataSource } from 'typeorm';
import { PROGRAM } from '../platform/config/called-as';
import { LoggedRequest } from '../platform/request-log/logged-request.entity';
import { LoggedRequestIds } from '../platform/request-log/logged-request-id';
import type { Outcome } from '../platform/request-log/outcome';
import { inTimeline } from '../platform/tracing/request-context';
import { roundedMs, Timeline } from '../platform/tracing/timeline';

/** A command with a statement that takes longer, in milliseconds, is kept in the request log. */
const SLOW_STATEMENT_MS = 200;

/** Milliseconds for which the end of a command waits for that. */
const KEEP_LIMIT_MS = 1_000;

/**
 * Does the work of a command. If one of its statements was slow, the request log gets the command and what it did, provided
 * that the database takes it: a command never fails because of this.
 *
 * @param command its words: `pets list`
 */
export async function noteSlowStatements<T>(
  dataSource: DataSource,
  command: string,
  work: () => Promise<T>,
): Promise<T> {
  const timeline = new Timeline(performance.now(), true);
  timeline.enter('command');
  let outcome: Outcome = 'failed';
  try {
    const result = await inTimeline(timeline, work);
    outcome = 'succeeded';
    return result;
  } finally {
    if (timeline.longestMs >= SLOW_STATEMENT_MS && dataSource.isInitialized) {
      const kept = dataSource.getRepository(LoggedRequest).insert(rowOf(command, outcome, timeline));
      // The database may be read-only, or have no such table yet.
      await pTimeout(kept, { milliseconds: KEEP_LIMIT_MS }).catch(() => undefined);
    }
  }
}

function rowOf(command: string, outcome: Outcome, timeline: Timeline) {
  const durationMs = performance.now() - timeline.began;
  const at = new Date();
  return {
    id: new LoggedRequestIds().next(at.getTime()),
    at,
    requestId: randomUUID(),
    method: PROGRAM,
    route: command,
    outcome,
    durationMs: roundedMs(durationMs),
    timeline: JSON.stringify(timeline.view(durationMs)),
    node: hostname(),
  };
}
