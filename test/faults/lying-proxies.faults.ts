import { createToken } from '../../src/platform/security/api-key-token';
import { timed } from '../support/http/timed-response';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { recordFigure } from '../support/samples/figures';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { flood } from './support/flood';
import { residentMemory } from './support/process-usage';
import { ResponseCount } from './support/responses';
import { SIZES } from './support/sizes';

const LIMIT = 60;
const REQUESTS = SIZES.refusedKeys;
const MEBIBYTE = 2 ** 20;

const key = createToken();

describe('Clients that claim another address in each X-Forwarded-For', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
  });
  afterEach(() => endServiceProcesses());
  afterAll(() => database.drop());

  /** An address that was not claimed before. */
  const claimed = (index: number) => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

  it.each([
    ['a service that trusts no proxy', {}, claimed],
    // The proxy appends the address it sees; what stands before that is the client's own.
    [
      'the proxy of a service that trusts it',
      { TRUST_PROXY: 'loopback' },
      (index: number) => `${claimed(index)}, 203.0.113.7`,
    ],
  ])('are one client for %s, and are limited', async (title, environment, fieldOf) => {
    const service = await ServiceProcess.start(
      {
        DATABASE_URL: database.url,
        BOOTSTRAP_API_KEY: key,
        RATE_LIMIT_PER_MINUTE: String(LIMIT),
        ...environment,
      },
      { cwd: makeFolder() },
    );
    expect((await service.fetch('/v1/pets', key)).status).toBe(200);
    const before = residentMemory(service.pid);
    const responses = new ResponseCount([401, 429]);
    await flood(REQUESTS, 8, async (index) => {
      const headers = { 'x-forwarded-for': fieldOf(index) };
      const response = await timed(() => service.fetch('/v1/pets', createToken(), { headers }));
      if (response) responses.note(response);
    });
    expect(responses.wrong).toEqual([]);
    // A minute may end meanwhile, and a second begin.
    expect(responses.of(401)).toBeLessThanOrEqual(2 * LIMIT);
    expect(responses.of(401) + responses.of(429)).toBe(REQUESTS);
    // A key that is known is not looked up, and so not counted.
    expect((await service.fetch('/v1/pets', key)).status).toBe(200);
    responses.record(`lies to ${title}`);
    const grown = (residentMemory(service.pid) - before) / MEBIBYTE;
    recordFigure(`lies to ${title}`, 'resident memory grown by', `${Math.round(grown)} MiB`);
  });
});
