import { createTestDatabase, describeEachEngine, ENGINES, type TestDatabase } from '../support/databases';
import { endServiceProcesses, ServiceProcess } from '../support/service-process';
import { original, ProjectCopy } from './support/project-copy';

/** Builds, linters and the whole suite run in here. */
jest.setTimeout(900_000);

const APP_MODULE = 'src/app.module.ts';

/** What is generated: the two modules teams add first, and one with awkward names and a field of every type. */
const MODULES = [
  {
    called: 'categories',
    folder: 'categories',
    fields: 'name:string description:string? parentId:ref(categories)?',
  },
  {
    called: 'orders',
    folder: 'orders',
    fields:
      'petId:ref(pets) categoryId:ref(categories)? quantity:integer shipDate:date-time? status:enum(placed|approved|delivered)? note:string?',
  },
  {
    called: 'StatusChange',
    folder: 'status-changes',
    fields:
      'description:string items:integer? after:int64 ratio:number required:boolean? format:date at:date-time? token:uuid type:enum(in-progress|done) orderId:ref(orders) parentId:ref(status-changes)?',
  },
];
const names = MODULES.map(({ folder }) => folder);

describe('A copy of the project with generated modules', () => {
  const copy = new ProjectCopy();

  beforeAll(async () => {
    for (const { called, fields } of MODULES) {
      await copy.succeed(`npm run -s generate -- feature ${called} --fields "${fields}"`);
    }
  });
  afterEach(() => endServiceProcesses());
  afterAll(() => copy.dispose());

  it('has one existing file changed, by one line for each module', () => {
    const { changed, removed } = copy.changes();
    expect({ changed, removed }).toEqual({ changed: [APP_MODULE], removed: [] });
    const before = original(APP_MODULE).split('\n');
    const after = copy.read(APP_MODULE).split('\n');
    const added = after.filter((line) => !before.includes(line));
    expect(added.sort()).toEqual(names.map((name) => `import './${name}/${name}.module';`));
    expect(after.filter((line) => !added.includes(line))).toEqual(before);
  });

  it('has files of fewer than 120 lines', () => {
    const lengths = copy
      .changes()
      .added.map((path) => [path, copy.read(path).split('\n').length - 1] as const);
    expect(lengths.length).toBeGreaterThan(30);
    expect(lengths.filter(([, lines]) => lines >= 120)).toEqual([]);
  });

  it.each(['lint', 'types', 'format:check', 'openapi', 'openapi:lint'])(
    'passes npm run %s',
    async (script) => {
      await expect(copy.succeed(`npm run -s ${script}`)).resolves.toBeDefined();
    },
  );

  it('passes the tests, the generated ones and those that were there', async () => {
    // Processes, command line and generator are no question of modules: the project's own run has seen them.
    await expect(copy.succeed('npm test -- src test/contract test/architecture')).resolves.toBeDefined();
  });

  describeEachEngine('serves the new operations', (engine) => {
    let database: TestDatabase;
    beforeAll(async () => (database = await createTestDatabase(engine)));
    afterAll(() => database.drop());

    it('over HTTP, after its migration, to a key with their scopes and no other', async () => {
      const environment = { DATABASE_URL: database.url, NODE_ENV: 'production' };
      const petstore = (words: string) => copy.succeed(`npm run -s petstore -- ${words}`, environment);
      const keyWith = async (scopes: string) =>
        (JSON.parse(await petstore(`keys create --name trial --scopes ${scopes} --json`)) as { key: string })
          .key;
      await petstore('db migrate');
      const key = await keyWith(names.flatMap((name) => [`${name}:read`, `${name}:write`]).join());
      const petsKey = await keyWith('pets:read,pets:write');
      const service = await ServiceProcess.start(environment, { cwd: copy.folder, project: copy.folder });
      const created = async (path: string, body: object, token = key) => {
        const answer = await service.post(path, token, JSON.stringify(body));
        expect([path, answer.status]).toEqual([path, 201]);
        return (await answer.json()) as { id: number };
      };

      expect((await service.fetch('/v1/pets', key)).status).toBe(403);
      expect((await service.fetch('/v1/orders', petsKey)).status).toBe(403);
      const pet = await created('/v1/pets', { name: 'Rex', categoryId: 1, status: 'available' }, petsKey);
      const category = await created('/v1/categories', { name: 'Dogs' });
      const order = await created('/v1/orders', { petId: pet.id, categoryId: category.id, quantity: 1 });
      const change = {
        description: 'late',
        after: 1,
        ratio: 0.5,
        format: '2026-12-24',
        token: '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
        type: 'in-progress',
        orderId: order.id,
      };
      const { id } = await created('/v1/status-changes', change);
      const patch = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
      const patched = await service.fetch(`/v1/status-changes/${id}`, key, {
        ...patch,
        body: '{"type":"done"}',
      });
      expect(await patched.json()).toEqual({ id, ...change, type: 'done' });
      const list = await service.fetch('/v1/status-changes?type=done&limit=1', key);
      expect(await list.json()).toEqual([{ id, ...change, type: 'done' }]);
      const remove = (path: string) => service.fetch(path, key, { method: 'DELETE' });
      expect((await remove(`/v1/orders/${order.id}`)).status).toBe(409);
      expect((await remove(`/v1/status-changes/${id}`)).status).toBe(204);
      expect((await remove(`/v1/orders/${order.id}`)).status).toBe(204);
    });
  });

  it('is the project again without their lines and folders, but for the migrations', () => {
    const lines = copy.read(APP_MODULE).split('\n');
    copy.write(
      APP_MODULE,
      lines.filter((line) => !names.some((name) => line.includes(`/${name}/`))).join('\n'),
    );
    for (const name of names) copy.remove(`src/${name}`);
    const { added, changed, removed } = copy.changes();
    expect(added.every((path) => path.startsWith('src/platform/database/migrations/'))).toBe(true);
    expect({ changed, removed }).toEqual({ changed: ['docs/openapi.json'], removed: [] });
  });

  it.each(ENGINES)(
    'without them it starts on %s, although its migrations are still there',
    async (engine) => {
      await copy.succeed('npm run -s build');
      const database = await createTestDatabase(engine);
      const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
      const service = await ServiceProcess.start(environment, { cwd: copy.folder, project: copy.folder });
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
      await service.kill('SIGTERM');
      await database.drop();
    },
  );

  it('without them it passes the tests of what is there', async () => {
    await copy.succeed('npm run -s openapi');
    await expect(
      copy.succeed(
        'npm test -- src/pets database/migrate test/architecture contract/answers contract/document contract/pets',
      ),
    ).resolves.toBeDefined();
  });
});
