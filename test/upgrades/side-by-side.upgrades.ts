import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createToken } from '../../src/platform/security/api-key-token';
import { codeBlocksOf } from '../modules/support/guide-blocks';
import { GuideReader } from '../modules/support/guide-reader';
import { original, ProjectCopy } from '../modules/support/project-copy';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { recordFigure } from '../support/samples/figures';
import { makeFolder } from '../support/folders';
import { linkPackages } from '../support/processes/copied-build';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { cli, rollOut, type Rollout } from './support/rollout';

jest.setTimeout(600_000);

const PAGE = 'docs/schema-changes.md';
const RELEASES = [
  'Expand: a new column',
  'Contract, first release: retire it',
  'Contract, third release: drop it',
] as const;
const PROJECT = join(__dirname, '..', '..');

const cwd = makeFolder();
const bootstrapKey = createToken();
const copy = new ProjectCopy();
/** The folder of each release, from the one before the first of the page on. */
let releases: string[];

beforeAll(async () => {
  releases = [PROJECT, ...(await buildReleases(copy))];
});
afterEach(() => endServiceProcesses());
afterAll(() => copy.dispose());

/** Folder of each release of the page, built; each one has the changes of those before. */
async function buildReleases(project: ProjectCopy): Promise<string[]> {
  const reader = new GuideReader(project);
  const blocks = codeBlocksOf(original(PAGE));
  const folders: string[] = [];
  for (const name of RELEASES) {
    for (const block of blocks.filter(({ section }) => section === name)) await reader.follow(block);
    const folder = `releases/${folders.length + 1}`;
    // What is beside the code does not change.
    const build = folders.length === 0 ? 'npm run -s build' : 'tsc';
    // With a platform of its own, or its modules would meet that of another release.
    await project.succeed(
      `${build}; mkdir -p ${folder}/packages; cp -r dist package.json ${folder}; cp -r packages/platform ${folder}/packages`,
    );
    const release = join(project.folder, folder);
    linkPackages(join(release, 'node_modules'), release);
    folders.push(release);
  }
  return folders;
}

/** What TypeORM would still do to make the tables fit the entities of a release. */
async function driftOf(project: string, databaseUrl: string): Promise<string> {
  const script = `
    const { createDataSource } = require('./dist/src/platform/database/driver/data-source.js');
    const { loadSettings } = require('./dist/src/platform/config/load-settings.js');
    (async () => {
      const dataSource = await createDataSource(loadSettings({ DATABASE_URL: ${JSON.stringify(databaseUrl)} })).initialize();
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      process.stdout.write(upQueries.map(({ query }) => query).join(';'));
      await dataSource.destroy();
    })();`;
  return (await promisify(execFile)(process.execPath, ['-e', script], { cwd: project })).stdout;
}

async function readiness(service: ServiceProcess): Promise<number> {
  return (await service.fetch('/health/ready', '')).status;
}

/** Adds a pet, with an idempotency key of the same name. */
async function add(service: ServiceProcess, key: string, name: string): Promise<Response> {
  const response = await service.fetch('/v1/pets', key, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': name },
    body: JSON.stringify({ name, categoryId: 1, status: 'available' }),
  });
  expect([name, response.status]).toEqual([name, 201]);
  return response;
}

async function listOn(service: ServiceProcess, key: string): Promise<unknown> {
  const response = await service.fetch('/v1/pets?limit=100&status=available', key);
  expect(response.status).toBe(200);
  return response.json();
}

describe(`A rolling upgrade by the releases of ${PAGE}`, () => {
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    environment = { DATABASE_URL: database.url, BOOTSTRAP_API_KEY: bootstrapKey };
    await cli(PROJECT, database.url, 'db', 'migrate');
  });
  afterAll(() => database.drop());

  it.each(RELEASES.map((name, index) => [name, index + 1] as const))(
    'serves with nodes of two versions side by side: %s',
    async (_name, number) => {
      const [before, after] = [releases[number - 1] as string, releases[number] as string];
      let old = await ServiceProcess.start(environment, { cwd, project: before });
      const next = await ServiceProcess.start(environment, { cwd, project: after });
      const migrates = number !== 2;
      expect([await readiness(old), await readiness(next)]).toEqual([200, migrates ? 503 : 200]);
      await add(old, bootstrapKey, `before-${number}`);

      const migrated = await cli(after, database.url, 'db', 'migrate');
      expect(/nickname/i.test(migrated)).toBe(migrates);
      await until(async () => (await readiness(next)) === 200);
      expect(await readiness(old)).toBe(200);
      expect(await driftOf(after, database.url)).toBe('');

      const makeKey = async (project: string) => {
        const words = ['keys', 'create', '--name', 'k', '--scopes', 'pets:read,pets:write', '--json'];
        return (JSON.parse(await cli(project, database.url, ...words)) as { key: string }).key;
      };
      const keys = [await makeKey(before), await makeKey(after)];
      const check = async () => {
        for (const [index, key] of keys.entries()) {
          for (const [one, other] of [
            [old, next],
            [next, old],
          ] as const) {
            const name = `${number}-${index}-${one.pid}`;
            const added = await add(one, key, name);
            const replayed = await add(other, key, name);
            expect(replayed.headers.get('idempotency-replayed')).toBe('true');
            const path = added.headers.get('location') as string;
            expect(await (await other.fetch(path, key)).json()).toEqual(await added.json());
          }
          expect(await listOn(old, key)).toEqual(await listOn(next, key));
        }
      };
      await check();

      // A node of the version before that starts late, or again.
      await old.kill('SIGTERM');
      old = await ServiceProcess.start(
        { ...environment, MIGRATE_ON_START: 'true' },
        { cwd, project: before },
      );
      expect(await readiness(old)).toBe(200);
      expect(old.stderr.includes('migrated by a newer version')).toBe(migrates);
      await check();
      await cli(before, database.url, 'keys', 'list');
      // Killed, they would count as serving for three minutes, and keep the third release from dropping what the first uses.
      await Promise.all([old.kill('SIGTERM'), next.kill('SIGTERM')]);
    },
  );
});

const ROLLOUTS: readonly [name: string, rollout: Rollout][] = [
  [
    'adds a column, from both releases before it, with nodes of all three at once',
    {
      before: [0, 0, 0],
      replacements: [
        [0, 1],
        [1, 2],
        [2, 2],
        [0, 2],
        [0, 1],
        [1, 0],
        [2, 0],
        [0, 0],
      ],
    },
  ],
  [
    // The second of the three releases that contract changes nothing: the first one stands for it, too.
    'drops a column, from both releases before it',
    {
      before: [2, 2],
      replacements: [
        [0, 3],
        [1, 3],
        [0, 2],
        [1, 2],
      ],
    },
  ],
];

describe('A rolling upgrade under load to a release that', () => {
  it.each(ROLLOUTS)('%s, and the way back fail no request', async (name, rollout) => {
    const { load, stored, replaced } = await rollOut(rollout, releases);
    expect(load.failures).toEqual(new Map());
    expect(stored).toEqual(new Map([...load.acknowledged].map((pet) => [pet, 1])));
    const fault = `upgrade to what ${name.split(',')[0]}`;
    recordFigure(fault, 'nodes replaced, up and back', replaced);
    recordFigure(fault, 'under load meanwhile', load.summary());
  });
});
