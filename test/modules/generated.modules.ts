import {
  createTestDatabase,
  describeEachEngine,
  ENGINES,
  type TestDatabase,
} from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { CommandLine } from './support/command-line';
import { workInTheConsole, workOnTheCommandLine } from './support/operators';
import { original, ProjectCopy } from './support/project-copy';
import { useShownCode } from './support/shown-code';

jest.setTimeout(900_000);

const FEATURES = 'src/features.ts';

/**
 * What is generated: the two modules teams add first, one with awkward names and a field of every type, and some whose names
 * examples of tests and pages have, too.
 */
const MODULES = [
  {
    called: 'categories',
    folder: 'categories',
    module: 'CategoriesModule',
    fields:
      'name:string(max=50,unique) description:string(description=What it holds.)? parentId:ref(categories)? petIds:refs(pets,max-items=3)?',
  },
  {
    called: 'orders',
    folder: 'orders',
    module: 'OrdersModule',
    fields:
      'petId:ref(pets) categoryId:ref(categories)? quantity:integer shipDate:date-time? status:enum(placed|approved|delivered)? note:string?',
  },
  {
    called: 'StatusChange',
    folder: 'status-changes',
    module: 'StatusChangesModule',
    fields:
      'description:string items:integer? after:int64 ratio:number required:boolean? format:date at:date-time? token:uuid type:enum(in-progress|done) orderId:ref(orders) parentId:ref(status-changes)?' +
      ' tags:string(max=30,max-items=20,default=[])[] serials:int64[]? colours:enum(red|green)[]? instants:date-time[]?' +
      ' steps:object(petId:ref(pets),minutes:integer(min=1)?,kind:enum(a|b)?)[]',
  },
  { called: 'suppliers', folder: 'suppliers', module: 'SuppliersModule', fields: 'name:string(max=60)' },
  {
    called: 'vaccination-records',
    folder: 'vaccination-records',
    module: 'VaccinationRecordsModule',
    fields: 'petId:ref(pets) vaccine:string(max=100)',
  },
  { called: 'notes', folder: 'notes', module: 'NotesModule', fields: 'kind:enum(a|b,default=b)' },
  {
    called: 'receipts --owned',
    folder: 'receipts',
    module: 'ReceiptsModule',
    fields: 'code:string(max=20,prefix,sort) total:integer(range,sort) kind:enum(a|b,set)? paid:boolean',
  },
];
const names = MODULES.map(({ folder }) => folder);

/** The tests of what is generated, and those that walk all operations, records and migrations. */
const SUITES = [
  ...names.map((name) => `src/${name}/`),
  'src/admin/records/every-kind',
  'src/platform/database/schema/migrate',
  'test/contract/every-operation',
];

/** Tests of the generator work on copies with pets alone; TypeORM's commands follow with the migrations alone. */
const THE_SAME = ['packages/create/test', 'test/architecture/licences'];

/** Those that look at what alone is left of the modules: their migrations and tables. */
const SUITES_WITHOUT = ['src/pets/', 'src/platform/database/schema/migrate', 'test/architecture/rules'];

/** Runs tests of what is built already. */
function jestOn(suites: readonly string[]): string {
  return `npm test --ignore-scripts -- ${suites.map((suite) => `'${suite}'`).join(' ')}`;
}

describe('A copy of the project with generated modules', () => {
  const copy = new ProjectCopy(true);

  beforeAll(async () => {
    for (const { called, fields } of MODULES) {
      await copy.succeed(`npm run -s generate -- feature ${called} --fields "${fields}"`);
    }
  });
  afterAll(async () => {
    await endServiceProcesses();
    copy.dispose();
  });

  it('changes one existing file, by one line for each module', () => {
    const { changed, removed } = copy.changes();
    expect({ changed, removed }).toEqual({ changed: [FEATURES], removed: [] });
    const lines = MODULES.map(
      ({ module, folder }) => `export { ${module} } from './${folder}/${folder}.module';\n`,
    );
    expect(copy.read(FEATURES)).toBe(original(FEATURES) + lines.join(''));
  });

  it('has files of fewer than 160 lines', () => {
    const lengths = copy
      .changes()
      .added.map((path) => [path, copy.read(path).split('\n').length - 1] as const);
    expect(lengths.length).toBeGreaterThan(30);
    expect(lengths.filter(([, lines]) => lines >= 160)).toEqual([]);
  });

  // That it compiles and is formatted, the tests of the generator see.
  it.each(['lint', 'artefacts', 'openapi:lint'])('passes npm run %s', async (script) => {
    await expect(copy.succeed(`npm run -s ${script}`)).resolves.toBeDefined();
  });

  it('loads features in the order of their lines, not of their names', async () => {
    const built = await copy.succeed(`node -p 'Object.keys(require("./dist/src/features.js")).join()'`);
    expect(built.trim().split(',')).toEqual(['PetsModule', ...MODULES.map(({ module }) => module)]);
  });

  it('is built without the records of the generator', async () => {
    expect(await copy.succeed('find dist -name .generated.json')).toBe('');
    expect(await copy.succeed('ls src/*/.generated.json')).toContain('src/orders/');
  });

  it('passes the generated tests, and those of all operations', async () => {
    await expect(copy.succeed(jestOn(SUITES))).resolves.toBeDefined();
  });

  it('passes all other tests of the project', async () => {
    // One engine is enough to see whether a module is in the way of a test.
    const others = `--testPathIgnorePatterns '${[...SUITES, ...THE_SAME].join('|')}' -t '^(?!.* on postgres)'`;
    await expect(copy.succeed(`${jestOn([])} ${others}`)).resolves.toBeDefined();
  }, 3_000_000);

  it('fails the tests for a list that runs a statement for each row, and they name the line', async () => {
    const path = 'src/orders/orders.service.ts';
    const generated = copy.read(path);
    const loop = 'for (const { id } of page.items) await this.get(id);';
    copy.write(path, generated.replace(/(?=return \{ \.\.\.page, items)/, `${loop}\n`));
    const { code, stderr } = await copy.run(
      `${jestOn(['test/contract/every-operation'])} -t 'OrdersModule lists many rows'`,
    );
    copy.write(path, generated);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /listOrders runs for each row: 20 × SELECT [^\n]* FROM \\?"orders[^\n]* \(src\/orders\/orders\.service\.ts:\d+\)/,
    );
  });

  describeEachEngine('serves the new modules', (engine) => {
    let database: TestDatabase;
    let petstore: CommandLine;
    let service: ServiceProcess;

    beforeAll(async () => {
      database = await createTestDatabase(engine);
      const environment = { DATABASE_URL: database.url, NODE_ENV: 'production' };
      petstore = new CommandLine(copy, environment);
      expect(await petstore.run('db migrate')).toMatchObject({ code: 0 });
      service = await ServiceProcess.start(environment, { cwd: copy.folder, project: copy.folder });
    });
    afterAll(async () => {
      await service.kill('SIGTERM');
      await database.drop();
    });

    async function keyWith(...scopes: string[]): Promise<string> {
      const made = await petstore.json<{ key: string }>(`keys create --name trial --scopes ${scopes.join()}`);
      return made.key;
    }

    it('over HTTP after their migration, to a key with their scopes only', async () => {
      const key = await keyWith(...names.flatMap((name) => [`${name}:read`, `${name}:write`]));
      const petsKey = await keyWith('pets:read', 'pets:write');
      const created = async (path: string, body: object, token = key) => {
        const response = await service.post(path, token, JSON.stringify(body));
        expect([path, response.status]).toEqual([path, 201]);
        return (await response.json()) as { id: number };
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
        steps: [{ petId: pet.id, minutes: 5, kind: 'b' }, { petId: pet.id }],
      };
      const { id } = await created('/v1/status-changes', change);
      const patch = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
      const patched = await service.fetch(`/v1/status-changes/${id}`, key, {
        ...patch,
        body: '{"type":"done"}',
      });
      expect(await patched.json()).toEqual({ id, ...change, tags: [], type: 'done' });
      const list = await service.fetch('/v1/status-changes?type=done&limit=1', key);
      expect(await list.json()).toEqual([{ id, ...change, tags: [], type: 'done' }]);
      const remove = (path: string) => service.fetch(path, key, { method: 'DELETE' });
      expect((await remove(`/v1/orders/${order.id}`)).status).toBe(409);
      expect((await remove(`/v1/status-changes/${id}`)).status).toBe(204);
      expect((await remove(`/v1/orders/${order.id}`)).status).toBe(204);
    });

    it('to the generated TypeScript client', async () => {
      const scopes = ['pets', ...names].flatMap((name) => [`${name}:read`, `${name}:write`]);
      const environment = { PETSTORE_URL: service.url, PETSTORE_API_KEY: await keyWith(...scopes) };
      await copy.succeed('tsc --noEmit -p packages/client');
      await copy.succeed('node test/modules/support/use-client.mjs', environment);
    });

    it('to operators on the command line, with audit events', async () => {
      await workOnTheCommandLine(petstore);
    });

    it('to operators in the console, with audit events', async () => {
      const pet = await petstore.json<{ id: number }>('pets create --name Rex --category-id 1');
      const keys = {
        changing: await keyWith('admin:read', 'admin:orders'),
        reading: await keyWith('admin:read'),
      };
      await workInTheConsole(Number(new URL(service.managementUrl).port), keys, pet.id);
      const { items: events } = await petstore.json<{ items: { action: string; actor: string }[] }>(
        'audit list --subject orders --limit 3',
      );
      expect(events.map(({ action }) => action)).toEqual(['orders.remove', 'orders.update', 'orders.create']);
      for (const { actor } of events) expect(actor).toMatch(/^key_/);
    });
  });

  it('shows working code in Swagger UI and in the guide, in every language', async () => {
    const service = await ServiceProcess.start({}, { cwd: makeFolder(), project: copy.folder });
    await expect(useShownCode(copy, service)).resolves.toBeGreaterThan(20);
    await service.kill('SIGTERM');
  });

  it('is the original project without their lines and folders, except for the migrations', () => {
    const lines = copy.read(FEATURES).split('\n');
    copy.write(
      FEATURES,
      lines.filter((line) => !names.some((name) => line.includes(`/${name}/`))).join('\n'),
    );
    for (const name of names) copy.remove(`src/${name}`);
    const { added, changed, removed } = copy.changes();
    expect(added.every((path) => path.startsWith('src/migrations/'))).toBe(true);
    const written = ['petstore-client.ts', 'types.ts'].map((name) => `packages/client/src/generated/${name}`);
    expect({ changed, removed }).toEqual({ changed: ['docs/openapi.json', ...written], removed: [] });
  });

  it('builds without them, with the original document', async () => {
    await copy.succeed('npm run -s artefacts');
    expect(copy.changes().changed).toEqual([]);
  });

  it.each(ENGINES)('starts without them on %s, although their migrations are still there', async (engine) => {
    const database = await createTestDatabase(engine);
    const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
    const service = await ServiceProcess.start(environment, { cwd: copy.folder, project: copy.folder });
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    await service.kill('SIGTERM');
    await database.drop();
  });

  it('passes the existing tests without them', async () => {
    await expect(copy.succeed(jestOn(SUITES_WITHOUT))).resolves.toBeDefined();
  });
});
