import { codeBlocksOf } from './support/guide-blocks';
import { GuideReader } from './support/guide-reader';
import { original, ProjectCopy } from './support/project-copy';

jest.setTimeout(300_000);

const PAGE = 'docs/adding-a-module.md';
const blocks = codeBlocksOf(original(PAGE));
const sections = [...Map.groupBy(blocks, ({ section }) => section)];

describe(`What ${PAGE} says, followed in a copy of the project`, () => {
  const copy = new ProjectCopy();
  const reader = new GuideReader(copy);
  afterEach(() => reader.endBackground());
  afterAll(() => copy.dispose());

  it('has commands, changes, files and outputs to follow', () => {
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh', 'json', 'diff', 'ts']));
  });

  it.each(sections)('works as it is written: %s', async (_section, own) => {
    for (const block of own) {
      await reader.follow(block).catch((error: unknown) => {
        throw new Error(`${PAGE}:${block.line} does not work.`, { cause: error });
      });
    }
    expect(own).not.toEqual([]);
  });
});
