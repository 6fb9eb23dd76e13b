import { setTimeout as pause } from 'node:timers/promises';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { type StoredResponse, KeepingClient } from '../support/http/keeping-client';
import { endServiceProcesses, runCli, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

/** What a key is remembered for at most, in milliseconds, and so how long a revoked one is taken elsewhere. */
const KEY_TTL_MS = 5_000;
const PAIRS = 6;
const PETS_EACH = 15;

const key = createToken();
const cwd = makeFolder();

interface Pet {
  readonly id: number;
  readonly name: string;
}

describeEachEngine('Several workers', (engine) => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let clients: KeepingClient[];
  /** How many lines the log had when the test began. */
  let logged: number;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    environment = { DATABASE_URL: database.url };
    service = await ServiceProcess.start(
      { ...environment, WORKERS: '2', MIGRATE_ON_START: 'true', BOOTSTRAP_API_KEY: key },
      { cwd },
    );
  });
  beforeEach(() => {
    clients = [];
    logged = service.log().length;
  });
  afterEach(() => {
    for (const client of clients) client.close();
  });
  afterAll(async () => {
    await endServiceProcesses();
    await database.drop();
  });

  /** Clients whose connections land on one worker after the other. */
  async function connect(count: number, token = key): Promise<KeepingClient[]> {
    const made: KeepingClient[] = [];
    for (let i = 0; i < count; i++) {
      const client = new KeepingClient(service, token);
      expect((await client.get('/v1/pets')).status).toBe(200);
      made.push(client);
    }
    clients.push(...made);
    return made;
  }

  /** The workers that requests of this kind have been answered by in this test, by the log. */
  function answeredBy(method: string, status: number): Set<unknown> {
    const since = service.log().slice(logged);
    const lines = since.filter((line) => line.method === method && line.status === status);
    return new Set(lines.map(({ worker }) => worker));
  }

  async function allPets(client: KeepingClient): Promise<Pet[]> {
    const pets: Pet[] = [];
    let path: string | undefined = '/v1/pets?limit=100';
    while (path) {
      const page = await client.get(path);
      pets.push(...(JSON.parse(page.body) as Pet[]));
      path = /<[^>]*(\/v1\/pets[^>]*)>; rel="next"/.exec(String(page.headers.link))?.[1];
    }
    return pets;
  }

  it("see each other's writes at once, lose no pet and make none twice", async () => {
    const connections = await connect(2 * PAIRS);
    const names: string[] = [];
    const work = async (pair: number) => {
      const two = connections.slice(2 * pair, 2 * pair + 2) as [KeepingClient, KeepingClient];
      for (let i = 0; i < PETS_EACH; i++) {
        const [writer, reader] = i % 2 === 0 ? two : two.toReversed();
        const name = `pet ${pair}-${i}`;
        // All pets of a pair fit on one page, whose response is kept until the next write.
        const status = 'pending';
        const created = await writer?.post('/v1/pets', { name, categoryId: pair, status });
        expect(created?.status).toBe(201);
        names.push(name);
        const { id } = JSON.parse(created?.body ?? '') as Pet;
        const listed = await reader?.get('/v1/pets?limit=100&status=pending');
        expect(JSON.parse(listed?.body ?? '')).toContainEqual(expect.objectContaining({ id, name }));
        expect(JSON.parse((await reader?.get(`/v1/pets/${id}`))?.body ?? '')).toMatchObject({ id, name });
      }
    };
    await Promise.all(Array.from({ length: PAIRS }, (_, pair) => work(pair)));
    expect(names).toHaveLength(PAIRS * PETS_EACH);
    for (const client of connections.slice(0, 2)) {
      expect((await allPets(client)).map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    }
    await until(() => answeredBy('POST', 201).size === 2);
  });

  it('make one pet of fifty requests with one Idempotency-Key', async () => {
    const connections = await connect(50);
    const add = (client: KeepingClient) =>
      client.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { 'idempotency-key': 'once' });
    const responses = await Promise.all(connections.map(add));
    const repeated: StoredResponse[] = [];
    // One after the other: two at once are in each other's way, as the first two are.
    for (const client of connections.slice(0, 4)) repeated.push(await add(client));
    expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(repeated.filter(({ status }) => status !== 201)).toEqual([]);
    const created = [...responses, ...repeated].filter(({ status }) => status === 201);
    expect(new Set(created.map(({ body }) => body)).size).toBe(1);
    expect(created.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    const pets = await allPets(connections[0] as KeepingClient);
    expect(pets.filter(({ name }) => name === 'Rex')).toHaveLength(1);
    await until(() => answeredBy('POST', 201).size === 2);
  });

  it('all refuse a key within five seconds after the CLI has revoked it', async () => {
    const words = ['keys', 'create', '--name', 'me', '--scopes', 'pets:read', '--json'];
    const made = JSON.parse(await runCli(environment, cwd, ...words)) as { id: string; key: string };
    const connections = await connect(4, made.key);
    await runCli(environment, cwd, 'keys', 'revoke', made.id);
    const revokedAt = Date.now();
    // Asked all the time: being used must not make it last.
    while (Date.now() < revokedAt + KEY_TTL_MS) {
      await Promise.all(connections.map((client) => client.get('/v1/pets')));
      await pause(50);
    }
    const responses = await Promise.all(connections.map((client) => client.get('/v1/pets')));
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    await until(() => answeredBy('GET', 401).size === 2);
  });
});
