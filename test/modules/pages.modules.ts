import { codeBlocksOf } from './support/guide-blocks';
import { GuideReader } from './support/guide-reader';
import { original, ProjectCopy } from './support/project-copy';

/** Builds, linters and suites run in here. */
jest.setTimeout(900_000);

const CLONE =
  'git init --quiet; git config user.name Reader; git config user.email reader@example.com; git add .; git commit --quiet --message Clone';

describe.each([
  ['docs/adding-a-module.md', ['sh', 'json', 'diff', 'ts']],
  ['docs/updating-generated-code.md', ['sh']],
  ['docs/day-two.md', ['sh', 'diff', 'ts']],
])('What %s says, followed in a clone of the project', (page, languages) => {
  const blocks = codeBlocksOf(original(page));
  const sections = [...Map.groupBy(blocks, ({ section }) => section)];
  const copy = new ProjectCopy(true);
  const reader = new GuideReader(copy);

  beforeAll(() => copy.succeed(CLONE));
  afterEach(() => reader.endBackground());
  afterAll(() => copy.dispose());

  it(`has blocks of ${languages.join(', ')} to follow`, () => {
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(languages));
  });

  it.each(sections)('works as written: %s', async (_section, own) => {
    for (const block of own) {
      await reader.follow(block).catch((error: unknown) => {
        throw new Error(`${page}:${block.line} does not work.`, { cause: error });
      });
    }
    expect(own).not.toEqual([]);
  });
});
