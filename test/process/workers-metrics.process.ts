import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { haveListened, workersOf } from '../support/service/workers';

const key = createToken();
const LISTS = /^http_server_request_duration_seconds_count\{.*http_route="\/v1\/pets".*\} (\d+)$/m;

let database: TestDatabase;
let service: ServiceProcess;

beforeEach(async () => {
  database = await createTestDatabase('sqlite');
  service = await ServiceProcess.start(
    { WORKERS: '2', DATABASE_URL: database.url, BOOTSTRAP_API_KEY: key },
    { cwd: makeFolder() },
  );
});
afterEach(async () => {
  await endServiceProcesses();
  await database.drop();
});

/** A request on a connection of its own, so that requests land on one worker after the other. */
function list(): Promise<Response> {
  return service.fetch('/v1/pets', key, { headers: { connection: 'close' } });
}

async function scrape(): Promise<string> {
  const response = await fetch(`${service.managementUrl}/metrics`, { headers: { connection: 'close' } });
  expect(response.status).toBe(200);
  return response.text();
}

async function sample(pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await scrape())?.[1]);
}

it('The metrics of a node cover all its workers, including silent and dead ones, whichever is asked', async () => {
  for (let i = 0; i < 10; i++) expect((await list()).status).toBe(200);
  for (let i = 0; i < 4; i++) expect(await sample(LISTS)).toBe(10);
  expect(await sample(/^petstore_workers (\d+)$/m)).toBe(2);
  expect(await sample(/^petstore_build_info\{.*\} (\d+)$/m)).toBe(1);

  const [, { pid }] = workersOf(service) as [unknown, { pid: number }];
  process.kill(pid, 'SIGSTOP');
  // Until it is gone: every second connection would wait for it.
  const scraped = await Promise.any([sample(LISTS), sample(LISTS)]);
  expect(scraped).toBe(10);
  process.kill(pid, 'SIGKILL');
  await haveListened(service, 3);
  expect(await sample(LISTS)).toBe(10);
  for (let i = 0; i < 4; i++) await list();
  for (let i = 0; i < 4; i++) expect(await sample(LISTS)).toBe(14);
  expect(await sample(/^petstore_worker_restarts_total (\d+)$/m)).toBe(1);
  expect(await sample(/^petstore_workers (\d+)$/m)).toBe(2);
});

it('The health of a node names its workers, and is degraded while one is missing', async () => {
  const health = async () => {
    const response = await fetch(`${service.managementUrl}/health`, { headers: { connection: 'close' } });
    return (await response.json()) as { status: string; checks: Record<string, object> };
  };
  const asked = [await health(), await health()];
  expect(asked).toMatchObject(
    [1, 2].map(() => ({ status: 'ok', checks: { workers: { wanted: 2, listening: 2 } } })),
  );
  process.kill(workersOf(service)[1]?.pid as number, 'SIGKILL');
  await until(async () => (await health()).status === 'degraded');
  await haveListened(service, 3);
  await until(async () => (await health()).status === 'ok');
});
