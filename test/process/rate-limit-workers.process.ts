import { createToken } from '../../src/platform/security/api-key-token';
import { toldLimit } from '../contract/support/rate-limit';
import { ask } from '../contract/support/request';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { KeepingClient } from '../support/http/keeping-client';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { haveListened, workersOf } from '../support/service/workers';

const key = createToken();
const cwd = makeFolder();
const QUOTA = 20;

let database: TestDatabase;
let service: ServiceProcess;

beforeEach(async () => {
  database = await createTestDatabase('sqlite');
  service = await ServiceProcess.start(
    {
      WORKERS: '2',
      RATE_LIMIT_PER_MINUTE: String(QUOTA),
      DATABASE_URL: database.url,
      BOOTSTRAP_API_KEY: key,
    },
    { cwd },
  );
});
afterEach(async () => {
  await service.kill('SIGTERM');
  await endServiceProcesses();
  await database.drop();
});

/** The statuses of requests that come together, each on a connection of its own: they land on both workers. */
async function statusesOf(count: number, token: string): Promise<Map<number, number>> {
  const target = { port: service.port, key: token };
  const responses = await Promise.all(Array.from({ length: count }, () => ask(target, {})));
  return new Map(
    [...Map.groupBy(responses, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );
}

describe('Two workers', () => {
  it('share one budget of an API key, which outlives one of them', async () => {
    const target = { port: service.port, key };
    for (const remaining of [19, 18, 17, 16]) {
      expect(toldLimit(await ask(target, {}))).toMatchObject({ policy: 'default', quota: QUOTA, remaining });
    }
    const [victim] = workersOf(service);
    process.kill(victim?.pid as number, 'SIGKILL');
    await haveListened(service, 3);
    expect(await statusesOf(30, key)).toEqual(
      new Map([
        [200, 16],
        [429, 14],
      ]),
    );
  });

  it('share one budget of refused keys from an address', async () => {
    expect(await statusesOf(30, 'x')).toEqual(
      new Map([
        [401, QUOTA],
        [429, 10],
      ]),
    );
    expect(await statusesOf(4, createToken())).toEqual(new Map([[429, 4]]));
  });

  it('each count alone while their primary hangs, and together again afterwards', async () => {
    const client = new KeepingClient(service, key);
    const remaining = async () => {
      const { status, headers } = await client.get('/v1/pets');
      return [status, Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])];
    };
    expect(await remaining()).toEqual([200, QUOTA - 1]);
    process.kill(service.pid, 'SIGSTOP');
    const alone = [await remaining(), await remaining()];
    process.kill(service.pid, 'SIGCONT');
    expect(alone).toEqual([
      [200, QUOTA - 1],
      [200, QUOTA - 2],
    ]);
    // The workers asked the primary all the same, although no request waited for it.
    expect(await remaining()).toEqual([200, QUOTA - 4]);
    client.close();
  });
});
