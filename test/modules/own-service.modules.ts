import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '../support/databases/databases';
import { codeBlocksOf } from './support/guide-blocks';
import { GuideReader } from './support/guide-reader';
import { original, ProjectCopy } from './support/project-copy';

/** Packages are installed in here. */
jest.setTimeout(900_000);

const PAGE = 'docs/own-service.md';

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

  it.each([...Map.groupBy(codeBlocksOf(original(PAGE)), ({ section }) => section)])(
    'works as written: %s',
    async (_section, blocks) => {
      for (const block of blocks) {
        await reader.follow(block).catch((error: unknown) => {
          throw new Error(`${PAGE}:${block.line} does not work.`, { cause: error });
        });
      }
      expect(blocks).not.toEqual([]);
    },
  );

  it('needs nothing of this repository, and few lines to read', async () => {
    const lines = await copy.succeed(
      `cd ../shop && git init -q && git add . && git ls-files -z ':!vendor' ':!package-lock.json' | xargs -0 cat | grep -c .`,
    );
    expect(Number(lines)).toBeLessThan(MOST_LINES);
    const { stdout } = await copy.run(`cd ../shop && git grep -l '[.][.]/[.][.]/' -- src test`);
    expect(stdout).toBe('');
  });

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
