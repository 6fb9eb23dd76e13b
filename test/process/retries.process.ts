import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { listNames } from '../support/samples/pet-writers';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';

const key = createToken();
const cwd = makeFolder();

function environment({ url }: TestDatabase): Record<string, string> {
  return { DATABASE_URL: url, MIGRATE_ON_START: 'true', BOOTSTRAP_API_KEY: key };
}

/** Adds a pet under a key of its own; undefined when the connection was refused or broke off. */
async function add(service: ServiceProcess, name: string): Promise<Response | undefined> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': name };
  const body = JSON.stringify({ name, categoryId: 1 });
  return service.fetch('/v1/pets', key, { method: 'POST', headers, body }).catch(() => undefined);
}

describeEachEngine('A client that repeats a request without a response', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
  });
  afterEach(async () => {
    await endServiceProcesses();
    await database.drop();
  });

  it('adds one pet although it sends it to two processes at once', async () => {
    const nodes = [
      await ServiceProcess.start(environment(database), { cwd }),
      await ServiceProcess.start(environment(database), { cwd }),
    ];
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) => add(nodes[i % 2] as ServiceProcess, 'Rex')),
    );
    const statuses = new Set(responses.map((response) => response?.status));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(statuses).toContain(201);
    expect(await listNames(nodes[0] as ServiceProcess, key)).toEqual(['Rex']);
  });
});
