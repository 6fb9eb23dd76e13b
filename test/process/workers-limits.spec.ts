import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, type TestDatabase } from '../support/databases';
import { makeFolder } from '../support/folders';
import { KeepingClient } from '../support/keeping-client';
import { endServiceProcesses, ServiceProcess } from '../support/service-process';
import { until } from '../support/until';
import { haveListened, workersOf } from '../support/workers';

const LIMIT = 40;
const key = createToken();

let database: TestDatabase;
let service: ServiceProcess;
let clients: KeepingClient[];

beforeEach(async () => {
  database = await createTestDatabase('sqlite');
  service = await ServiceProcess.start(
    {
      WORKERS: '2',
      DATABASE_URL: database.url,
      BOOTSTRAP_API_KEY: key,
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
    },
    { cwd: makeFolder() },
  );
  clients = Array.from({ length: 4 }, () => new KeepingClient(service, key));
});
afterEach(async () => {
  for (const client of clients) client.close();
  await endServiceProcesses();
  await database.drop();
});

/** Asks once over each connection; the connections land on one worker after the other. */
async function askAll(): Promise<number[]> {
  const statuses: number[] = [];
  for (const client of clients) statuses.push((await client.get('/v1/pets')).status);
  return statuses;
}

it('Workers share the limits of a key, which also outlive a worker', async () => {
  const statuses: number[] = [];
  while (statuses.length < LIMIT / 2) statuses.push(...(await askAll()));
  const { pid } = workersOf(service).at(-1) as { pid: number };
  process.kill(pid, 'SIGKILL');
  await haveListened(service, 3);
  clients.forEach((client) => client.close());
  clients = clients.map(() => new KeepingClient(service, key));
  while (statuses.length < LIMIT) statuses.push(...(await askAll()));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await askAll()).toEqual([429, 429, 429, 429]);
  const refusing = () => service.log().filter(({ status }) => status === 429);
  await until(() => new Set(refusing().map(({ worker }) => worker)).size === 2);
});
