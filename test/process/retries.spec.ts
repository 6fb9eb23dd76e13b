import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/service-process';

const CLIENTS = 8;
const PETS = 120;
const KILLS = 3;

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

/** The names of all pets, as often as there is a pet of that name. */
async function namesOf(service: ServiceProcess): Promise<string[]> {
  const names: string[] = [];
  let path: string | undefined = '/v1/pets?limit=100';
  while (path) {
    const page: Response = await service.fetch(path, key);
    names.push(...((await page.json()) as { name: string }[]).map(({ name }) => name));
    path = /<[^>]*(\/v1\/pets[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  return names;
}

describeEachEngine('A client that repeats what got no answer', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
  });
  afterEach(async () => {
    await endServiceProcesses();
    await database.drop();
  });

  it('adds each pet once, however often the service is killed meanwhile', async () => {
    let service = await ServiceProcess.start(environment(database), { cwd });
    const wanted = Array.from({ length: PETS }, () => randomUUID());
    const left = [...wanted];
    let unanswered = 0;
    const client = async () => {
      for (let name = left.pop(); name; name = left.pop()) {
        while ((await add(service, name))?.status !== 201) {
          unanswered += 1;
          await pause(10);
        }
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = left.length - randomInt(5, PETS / KILLS - 5);
      while (left.length > enough) await pause(1);
      await service.kill('SIGKILL');
      service = await ServiceProcess.start(environment(database), { cwd });
    }
    await clients;
    expect(unanswered).toBeGreaterThan(0);
    expect((await namesOf(service)).sort()).toEqual(wanted.sort());
  }, 60_000);

  it('adds one pet although it asks two processes at once', async () => {
    const nodes = [
      await ServiceProcess.start(environment(database), { cwd }),
      await ServiceProcess.start(environment(database), { cwd }),
    ];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => add(nodes[i % 2] as ServiceProcess, 'Rex')),
    );
    const statuses = new Set(answers.map((answer) => answer?.status));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(statuses).toContain(201);
    expect(await namesOf(nodes[0] as ServiceProcess)).toEqual(['Rex']);
  });
});
