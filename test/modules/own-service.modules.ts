import { createTestDatabase } from '../support/databases/databases';
import { codeBlocksOf } from './support/guide-blocks';
import { GuideReader } from './support/guide-reader';
import { original, ProjectCopy } from './support/project-copy';

/** Packages are installed in here. */
jest.setTimeout(900_000);

const PAGE = 'docs/own-service.md';

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

  it('has no table of pets without their line', async () => {
    const check = `cd ../shop && DATABASE_URL=sqlite:data/without-pets.sqlite npm run -s petstore -- db status --json`;
    const { migrations } = JSON.parse(await copy.succeed(check)) as { migrations: { name: string }[] };
    expect(migrations.map(({ name }) => name)).toEqual([
      'CreateSchema1763700044000',
      'CreateTags1796000000000',
    ]);
  });

  it('says its own version', async () => {
    expect(await copy.succeed('cd ../shop && npm run -s petstore -- --version')).toBe('1.0.0\n');
  });

  it('has all tables on PostgreSQL', async () => {
    const database = await createTestDatabase('postgres');
    const commands = ['db migrate', 'db check'].map((words) => `npm run -s petstore -- ${words}`).join('\n');
    await copy.succeed(`cd ../shop\n${commands}`, { DATABASE_URL: database.url });
    await database.drop();
  });
});
