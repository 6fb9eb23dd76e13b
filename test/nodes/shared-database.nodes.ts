import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';

const PAIRS = 6;
const PETS_EACH = 15;

const key = createToken();
const cwd = makeFolder();

interface Pet {
  readonly id: number;
  readonly name: string;
}

describeEachEngine('Two nodes with one database', (engine) => {
  let database: TestDatabase;
  let nodes: readonly [ServiceProcess, ServiceProcess];

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true', BOOTSTRAP_API_KEY: key };
    nodes = [
      await ServiceProcess.start(environment, { cwd }),
      await ServiceProcess.start(environment, { cwd }),
    ];
  });
  afterAll(async () => {
    await endServiceProcesses();
    await database.drop();
  });

  async function read<T>(node: ServiceProcess, path: string): Promise<T> {
    const response = await node.fetch(path, key);
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  function add(node: ServiceProcess, pet: object, headers?: Record<string, string>): Promise<Response> {
    return node.fetch('/v1/pets', key, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(pet),
    });
  }

  it("see each other's writes at once, lose no pet and make none twice", async () => {
    const names: string[] = [];
    const work = async (pair: number) => {
      for (let i = 0; i < PETS_EACH; i++) {
        const [writer, reader] = i % 2 === 0 ? nodes : ([nodes[1], nodes[0]] as const);
        const name = `pet ${pair}-${i}`;
        const created = await add(writer, { name, categoryId: pair, status: 'pending' });
        expect(created.status).toBe(201);
        names.push(name);
        const { id } = (await created.json()) as Pet;
        // All pets fit on one page, whose response is kept until the next write.
        const listed = await read<Pet[]>(reader, '/v1/pets?limit=100&status=pending');
        expect(listed).toContainEqual(expect.objectContaining({ id, name }));
        expect(await read<Pet>(reader, `/v1/pets/${id}`)).toMatchObject({ id, name });
      }
    };
    await Promise.all(Array.from({ length: PAIRS }, (_, pair) => work(pair)));
    for (const node of nodes) {
      const pets = await read<Pet[]>(node, '/v1/pets?limit=100');
      expect(pets.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    }
  });

  it('make one pet of fifty requests with one Idempotency-Key', async () => {
    const addRex = (i: number) =>
      add(nodes[i % 2] as ServiceProcess, { name: 'Rex', categoryId: 1 }, { 'idempotency-key': 'once' });
    const responses = await Promise.all(Array.from({ length: 50 }, (_, i) => addRex(i)));
    const repeated = [await addRex(0), await addRex(1)];
    expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(repeated.map(({ status }) => status)).toEqual([201, 201]);
    const created = [...responses, ...repeated].filter(({ status }) => status === 201);
    expect(new Set(await Promise.all(created.map((response) => response.text()))).size).toBe(1);
    expect(created.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
    const pets = await read<Pet[]>(nodes[0], '/v1/pets?limit=100');
    expect(pets.filter(({ name }) => name === 'Rex')).toHaveLength(1);
  });
});
