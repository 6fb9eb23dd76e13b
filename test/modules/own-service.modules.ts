import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { createTestDatabase, type Engine, ENGINES, type TestDatabase } from '../support/databases/databases';
import { freePort } from '../support/processes/free-port';
import { until } from '../support/until';
import { type CodeBlock, codeBlocksOf } from './support/guide-blocks';
import { GuideReader } from './support/guide-reader';
import { original, ProjectCopy } from './support/project-copy';

/** Packages are installed in here. */
jest.setTimeout(900_000);

const PAGE = 'docs/own-service.md';

const sections = [...Map.groupBy(codeBlocksOf(original(PAGE)), ({ section }) => section)];

const { version: VERSION } = JSON.parse(original('packages/platform/package.json')) as { version: string };
const TEMPLATE = 'packages/create/src/feature/files/feature/src/__folder__/__folder__.repository.ts.template';

const NEWER_MIGRATION = `
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddNewer1795996802000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys ADD COLUMN newer text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN newer');
  }
}
`;

interface DatabaseStatus {
  readonly migrations: readonly { readonly name: string; readonly status: string }[];
}

interface Compose {
  readonly services: Readonly<Record<string, { readonly volumes?: readonly string[] }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

async function documentAt(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/docs/openapi.json`)).text();
}

/** Most lines that a person has to read before the first module. */
const MOST_LINES = 150;

/** Of the names of migrations and their files. */
const TIME_DIGITS = 13;
const PLATFORM_MIGRATIONS = join(__dirname, '..', '..', 'src', 'platform', 'migrations');

describe(`What ${PAGE} says, followed beside a copy of the project`, () => {
  const copy = new ProjectCopy(true);
  const reader = new GuideReader(copy);
  afterEach(() => reader.endBackground());
  afterAll(() => copy.dispose());

  async function follow(_section: string, blocks: readonly CodeBlock[]): Promise<void> {
    for (const block of blocks) {
      await reader.follow(block).catch((error: unknown) => {
        throw new Error(`${PAGE}:${block.line} does not work.`, { cause: error });
      });
    }
    expect(blocks).not.toEqual([]);
  }

  it.each(sections.slice(0, 1))('works as written: %s', follow);

  it('needs nothing of this repository, and few lines to read', async () => {
    const lines = await copy.succeed(
      `cd ../shop && git init -q && git add . && git ls-files -z ':!vendor' ':!package-lock.json' | xargs -0 cat | grep -c .`,
    );
    expect(Number(lines)).toBeLessThan(MOST_LINES);
    const { stdout } = await copy.run(`cd ../shop && git grep -l '[.][.]/[.][.]/' -- src test`);
    expect(stdout).toBe('');
  });

  it.each(sections.slice(1, 2))('works as written: %s', follow);

  it('is installed without a warning, and without a change of what git has', async () => {
    expect(await copy.run('cd ../shop && npm install')).toMatchObject({ code: 0, stderr: '' });
    expect(await copy.succeed('cd ../shop && git diff --name-only')).toBe('');
  });

  it.each(sections.slice(2, 3))('works as written: %s', follow);

  it('serves what is saved under start:dev', async () => {
    const port = await freePort('127.0.0.1');
    const managementPort = await freePort('127.0.0.1');
    const service = copy.start(
      `cd ../shop && export PORT=${port} MANAGEMENT_PORT=${managementPort} && npm run -s start:dev`,
    );
    const serves = (text: string) => async () =>
      (await documentAt(port).catch(() => '')).includes(`"summary": "${text}"`);
    const controller = '../shop/src/orders/orders.controller.ts';
    const written = copy.read(controller);
    await until(serves('List orders'));
    copy.write(controller, written.replace('List orders', 'List what was ordered'));
    await until(serves('List what was ordered'));
    copy.write(controller, written);
    await service.end();
  });

  it.each(sections.slice(3, 4))('works as written: %s', follow);

  it('has an image and a compose file that name what there is', async () => {
    const shop = join(copy.folder, '..', 'shop');
    const included = '../shop/node_modules/@petstore/platform/deploy/compose.yaml';
    expect(parse(copy.read('../shop/compose.yaml'))).toEqual({
      include: [{ path: [included.slice('../shop/'.length)], project_directory: '.' }],
    });
    const { services, secrets } = parse(copy.read(included), { merge: true }) as Compose;
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((one) => one.split(':')[0] ?? ''),
    );
    const files = mounted.filter((path) => path.startsWith('.'));
    expect(files).toHaveLength(5);
    expect(files.filter((path) => !existsSync(join(shop, path)))).toEqual([]);
    await copy.succeed('cd ../shop && node_modules/@petstore/platform/deploy/make-secrets deploy/secrets');
    expect(Object.values(secrets).filter(({ file }) => !existsSync(join(shop, file)))).toEqual([]);
    expect(await copy.succeed('cd ../shop && git status --porcelain deploy')).toBe('');
    expect(validate(copy.read('../shop/Dockerfile'))).toEqual([]);
  });

  describe('with a newer platform', () => {
    const databases = new Map<Engine, TestDatabase>();
    const shop = (commands: string, engine: Engine = 'sqlite') =>
      copy.succeed(`cd ../shop\n${commands}`, { DATABASE_URL: databases.get(engine)?.url ?? '' });
    const statusOn = async (engine: Engine) =>
      JSON.parse(await shop('npm run -s petstore -- db status --json', engine)) as DatabaseStatus;

    beforeAll(async () => {
      for (const engine of ENGINES) {
        databases.set(engine, await createTestDatabase(engine));
        await shop('npm run -s petstore -- db migrate', engine);
      }
      await shop(
        'git add . && git -c user.name=Team -c user.email=team@example.com commit --quiet -m Orders',
      );
      const manifest = 'packages/platform/package.json';
      copy.write(manifest, copy.read(manifest).replace(/"version": "[^"]*"/, '"version": "1.4.0"'));
      copy.write('src/platform/migrations/1795996802000-add-newer.ts', NEWER_MIGRATION);
      copy.write(
        'src/platform/exports.ts',
        `${copy.read('src/platform/exports.ts')}export const NEWER = 'newer';\n`,
      );
      copy.write(TEMPLATE, `// Of a newer template.\n${copy.read(TEMPLATE)}`);
    });
    afterAll(async () => {
      for (const database of databases.values()) await database.drop();
    });

    it.each(sections.slice(4, 5))('works as written: %s', follow);

    it('has what its templates and exports say', async () => {
      expect(copy.read('../shop/src/orders/orders.repository.ts')).toContain('// Of a newer template.\n');
      copy.write(
        '../shop/src/newer.ts',
        "import { NEWER } from '@petstore/platform';\n\nexport const used: string = NEWER;\n",
      );
      await shop('npm run -s types\nrm src/newer.ts');
    });

    it.each(ENGINES)(
      'applies its migration on %s, although it is older than that of the service',
      async (engine) => {
        const before = await statusOn(engine);
        const pending = before.migrations.filter(({ status }) => status !== 'applied');
        expect(pending.map(({ name }) => name)).toEqual(['AddNewer1795996802000']);
        await shop('npm run -s petstore -- db migrate', engine);
        expect((await statusOn(engine)).migrations.every(({ status }) => status === 'applied')).toBe(true);
      },
    );

    it('does not install a module whose range does not fit, and does not start with it', async () => {
      copy.write(
        '../later/package.json',
        JSON.stringify({
          name: 'later',
          version: '1.0.0',
          peerDependencies: { '@petstore/platform': '^2.0.0' },
        }),
      );
      await shop('npm pack --silent ../later --pack-destination ..');
      const refused = await copy.run('cd ../shop && npm install ../later-1.0.0.tgz');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/ERESOLVE[^]*peer @petstore\/platform@"\^2\.0\.0" from later@1\.0\.0/);
      // As somebody leaves it who does not listen to npm.
      copy.write('../shop/node_modules/later/package.json', copy.read('../later/package.json'));
      await shop('npm pkg set dependencies.later=1.0.0');
      expect(await copy.run('cd ../shop && npm run -s petstore -- keys list')).toMatchObject({
        code: 1,
        stderr:
          'later 1.0.0 needs @petstore/platform ^2.0.0, but this service has 1.4.0: install a version of the module that fits.\n',
      });
    });

    it.each(ENGINES)('can be gone back from, with what it has made on %s', async (engine) => {
      if (engine === 'sqlite') {
        await shop('git checkout --quiet . && npm install --no-audit && npm run -s build');
        expect(await shop('npm ls @petstore/platform')).toContain(`@petstore/platform@${VERSION}`);
      }
      const { migrations } = await statusOn(engine);
      expect(migrations.find(({ name }) => name === 'AddNewer1795996802000')).toBeDefined();
      const { code, stderr } = await copy.run('cd ../shop && npm run -s petstore -- orders list', {
        DATABASE_URL: databases.get(engine)?.url ?? '',
      });
      // A file of SQLite is not shared by two versions.
      const refusal = expect.stringContaining('AddNewer1795996802000 is unknown to this version') as string;
      expect({ code, stderr }).toMatchObject(
        engine === 'sqlite' ? { code: 1, stderr: refusal } : { code: 0 },
      );
    });
  });

  it.each(sections.slice(5))('works as written: %s', follow);

  it('has no table of pets without their line', async () => {
    const check = `cd ../shop && DATABASE_URL=sqlite:data/without-pets.sqlite npm run -s petstore -- db status --json`;
    const { migrations } = JSON.parse(await copy.succeed(check)) as { migrations: { name: string }[] };
    const times = readdirSync(PLATFORM_MIGRATIONS).map((file) => file.slice(0, TIME_DIGITS));
    expect(migrations.map(({ name }) => name.slice(-TIME_DIGITS))).toEqual(times.sort());
  });

  it('says its own version', async () => {
    expect(await copy.succeed('cd ../shop && npm run -s petstore -- --version')).toBe('0.1.0\n');
  });

  it('has all tables on PostgreSQL', async () => {
    const database = await createTestDatabase('postgres');
    const commands = ['db migrate', 'db check'].map((words) => `npm run -s petstore -- ${words}`).join('\n');
    await copy.succeed(`cd ../shop\n${commands}`, { DATABASE_URL: database.url });
    await database.drop();
  });
});

describe('npm run platform:pack', () => {
  const copy = new ProjectCopy(true);
  afterAll(() => copy.dispose());
  const filesOf = (folder: string) =>
    copy.succeed(`for file in ${folder}/*; do tar --list --file $file | sort; done`);

  it('packs the same beside another run', async () => {
    await copy.succeed(`npm run -s platform:pack -- one & npm run -s platform:pack -- two\nwait $!`);
    const files = await filesOf('one');
    expect(files).toContain('node_modules/@petstore/migrations/src/judge.d.ts\n');
    expect(await filesOf('two')).toBe(files);
  });

  it('packs nothing when declarations are missing, and names them', async () => {
    const config = 'packages/platform/tsconfig.json';
    copy.write(config, copy.read(config).replace('"declaration": true', '"declaration": false'));
    const { code, stderr } = await copy.run('npm run -s platform:pack -- three');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('packages/migrations/src/judge.d.ts'),
    });
    await expect(copy.run('ls three')).resolves.toMatchObject({ code: 2 });
  });
});
