import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { inTimeline } from '../../../src/platform/tracing/request-context';
import { Timeline, type TimelineStatement } from '../../../src/platform/tracing/timeline';
import { countRowsRead, isFrugal, wasteLine, watchSelects } from './rows-read';
import type { TestService } from './service';

/** A service remembers a key for some seconds: whether a request reads it is not what the request asks for. */
const OF_KEYS = /\bFROM "api_keys"/;

/** The result of some work, and the statements that were run for it. */
export interface WatchedWork<T> {
  readonly result: T;
  readonly statements: readonly TimelineStatement[];
}

/** Does work, and lists the statements on the database that it and the requests it sends run, but for the look-up of their key. */
export async function watchStatements<T>(
  { app }: Pick<TestService, 'app'>,
  work: () => Promise<T>,
): Promise<WatchedWork<T>> {
  const own = new Timeline(performance.now(), true);
  const timelines = [own];
  const note = ({ exchange }: Request) => {
    if (exchange.timeline) timelines.push(exchange.timeline);
  };
  const server = app.getHttpServer();
  server.on('request', note);
  try {
    const result = await inTimeline(own, work);
    const statements = timelines.flatMap((timeline) => timeline.view(0).statements);
    return { result, statements: statements.filter(({ text }) => !OF_KEYS.test(text)) };
  } finally {
    server.off('request', note);
  }
}

/**
 * Does work that runs so many statements on the database, it and the requests it sends together. The look-up of their key does
 * not count. Each may read three rows for one that it returns, and a few hundred more.
 *
 * @throws Error naming the statements that were run, when they are not so many, or those that read more rows
 */
export async function expectStatements<T>(
  service: Pick<TestService, 'app' | 'database'>,
  expected: number,
  work: () => Promise<T>,
): Promise<T> {
  const { result: watched, selects } = await watchSelects(service.app.get(DataSource), () =>
    watchStatements(service, work),
  );
  const { result, statements } = watched;
  const count = statements.reduce((sum, statement) => sum + statement.count, 0);
  if (count !== expected) {
    throw new Error(
      [`Expected ${expected} statements, and ${count} were run:`, ...statements.map(line)].join('\n'),
    );
  }
  const wasteful = (await countRowsRead(service.database.url, selects)).filter((each) => !isFrugal(each));
  if (wasteful.length === 0) return result;
  throw new Error(['Statements read too many rows:', ...wasteful.map(wasteLine)].join('\n'));
}

/** A statement as messages show it: how often it was run, its text and who asked for it. */
export function line({ count, text, place }: TimelineStatement): string {
  return `${count} × ${text.replaceAll(/\s+/g, ' ')}${place === undefined ? '' : ` (${place})`}`;
}
