import { KEY_CACHE_TTL_MS } from '../../src/auth/key-cache';
import { Database } from '../../src/platform/database/database';
import { poolOf } from '../../src/platform/database/driver/data-source';
import { JobRunner } from '../../src/platform/jobs/job-runner.service';
import { ServiceModesRepository } from '../../src/platform/read-only/service-modes.repository';
import { createToken } from '../../src/platform/security/api-key-token';
import { timed } from '../support/http/timed-response';
import { countMessages } from '../support/databases/postgres-messages';
import { startTestService, type TestService } from '../support/service/service';
import { ResponseCount, milliseconds } from './support/responses';
import { recordFigure } from '../support/samples/figures';
import { flood } from './support/flood';
import { SIZES } from './support/sizes';

// Its statistics would be counted as well.
jest.mock('../../src/tooling', () => ({ TOOLING: [] }));

const AT_ONCE = 50;
const LIMIT = 60;
/** Well under the limit, which holds for good keys as well. */
const GOOD_REQUESTS = 30;
const FAULT = 'flood of refused keys';

let service: TestService;
let countQueries: () => number;
/** Those that were made before what is counted. */
let earlier: number;
/** What those got who sent refused keys. */
let responses: ResponseCount;

async function start(environment: Record<string, string>): Promise<void> {
  service = await startTestService('postgres', { REQUEST_LOG_DAYS: '0', ...environment });
  earlier = 0;
  responses = new ResponseCount();
  // Not the connections that are taken from the pool: look-ups share them.
  countQueries = countMessages(poolOf(service.app.get(Database).dataSource), 'commandComplete');
}

function queries(): number {
  return countQueries() - earlier;
}

function ask(key: string) {
  return timed(() => fetch(`${service.url}/v1/pets`, { headers: { authorization: `Bearer ${key}` } }));
}

async function floodWith(keys: readonly string[]): Promise<void> {
  await flood(keys.length, AT_ONCE, async (i) => {
    const response = await ask(keys[i] as string);
    if (response) responses.note(response);
  });
}

/** A client with a valid key, during a flood. @returns the longest wait, in milliseconds */
async function askMeanwhile(flooding: Promise<void>): Promise<number> {
  const good = new ResponseCount();
  await flood(GOOD_REQUESTS, 1, async () => {
    const response = await ask(service.key);
    if (response) good.note(response);
  });
  await flooding;
  expect(good.byStatus).toEqual(new Map([[200, GOOD_REQUESTS]]));
  return good.longestMs;
}

describe('A flood of invalid API keys', () => {
  // What a process writes and asks by itself does not count here, only what requests ask for.
  beforeAll(() => {
    jest.spyOn(JobRunner.prototype, 'begin').mockImplementation(() => undefined);
    jest.spyOn(ServiceModesRepository.prototype, 'isOn').mockResolvedValue(false);
  });
  afterAll(() => jest.restoreAllMocks());
  afterEach(() => service.stop());

  it('makes no query at all when they are malformed', async () => {
    await start({});
    const good = createToken();
    // One character differs, so that the checksum does not fit.
    const typo = (i: number) =>
      `${good.slice(0, 6 + (i % 40))}${i % 2 ? '!' : ''}${good.slice(7 + (i % 40))}x`;
    await floodWith(Array.from({ length: SIZES.refusedKeys }, (_, i) => typo(i)));
    expect(responses.byStatus).toEqual(new Map([[401, SIZES.refusedKeys]]));
    expect(responses.wrong).toEqual([]);
    expect(queries()).toBe(0);
    recordFigure(FAULT, 'malformed keys', SIZES.refusedKeys);
    recordFigure(FAULT, '  queries', queries());
  });

  it('makes one query when all are the same key', async () => {
    await start({});
    const key = createToken();
    const begin = performance.now();
    await floodWith(Array.from({ length: 1_000 }, () => key));
    const lifetimes = Math.ceil((performance.now() - begin) / KEY_CACHE_TTL_MS);
    expect(responses.byStatus).toEqual(new Map([[401, 1_000]]));
    expect(responses.wrong).toEqual([]);
    // One, and one more each time it was forgotten on a machine that took so long.
    expect(queries()).toBeLessThanOrEqual(lifetimes);
    recordFigure(FAULT, 'the same unknown key', 1_000);
    recordFigure(FAULT, '  queries', queries());
  });

  it('makes a query for each different well-formed key without a limit, and delays no other client for long', async () => {
    await start({});
    const keys = Array.from({ length: SIZES.refusedKeys }, () => createToken());
    const longest = await askMeanwhile(floodWith(keys));
    expect(responses.byStatus).toEqual(new Map([[401, SIZES.refusedKeys]]));
    expect(queries()).toBeGreaterThanOrEqual(SIZES.refusedKeys);
    recordFigure(FAULT, 'different unknown keys, no limit', SIZES.refusedKeys);
    recordFigure(FAULT, '  queries', queries());
    recordFigure(FAULT, '  longest wait of a good key', milliseconds(longest));
  });

  it('makes no query beyond the limit of its address, while a valid key from there is served', async () => {
    await start({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
    expect((await ask(service.key))?.status).toBe(200);
    earlier = countQueries();
    const keys = Array.from({ length: SIZES.refusedKeys }, () => createToken());
    const begin = performance.now();
    const longest = await askMeanwhile(floodWith(keys));
    const minutes = Math.ceil((performance.now() - begin) / 60_000) + 1;

    expect(responses.statuses).toEqual([401, 429]);
    expect(responses.of(401)).toBeLessThanOrEqual(LIMIT * minutes);
    expect(responses.wrong).toEqual([]);
    // Each list is one; the good key itself is looked up once in five seconds.
    expect(queries()).toBeLessThanOrEqual(responses.of(401) + GOOD_REQUESTS * 3);
    recordFigure(FAULT, 'different unknown keys, limit 60', SIZES.refusedKeys);
    recordFigure(FAULT, '  responses by status', `401: ${responses.of(401)}, 429: ${responses.of(429)}`);
    recordFigure(FAULT, '  queries, those of the good key included', queries());
    recordFigure(FAULT, '  longest wait of a good key', milliseconds(longest));
  });
});
