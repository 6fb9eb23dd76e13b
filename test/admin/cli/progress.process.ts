import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../support/folders';
import { CliProcess } from '../../cli/support/cli-process';
import { screenOf } from './support/screen';

// Each test runs several processes, whose starts take their time on a busy machine.
const COLUMNS = 80;

describe('Progress on a terminal of 80 columns', () => {
  const folder = makeFolder();
  const file = join(folder, 'petstore.sqlite');
  const cli = new CliProcess({ DATABASE_URL: `sqlite:${file}` }, folder);

  beforeAll(() => cli.run('db', 'migrate'));

  /** A CSV file of 5,000 pets, of which those at these places have no integer as their category. */
  function csv(name: string, isRefused: (index: number) => boolean): string {
    const rows = Array.from({ length: 5_000 }, (_, i) => `${name} ${i},${isRefused(i) ? 'x' : 1},sold`);
    writeFileSync(join(folder, `${name}.csv`), `name,categoryId,status\r\n${rows.join('\r\n')}\r\n`);
    return `${name}.csv`;
  }

  async function shownBy(...args: string[]): Promise<string[]> {
    const { stdout } = await cli.runOnTerminal(args, '', COLUMNS);
    return screenOf(stdout, COLUMNS);
  }

  it('is below the refused rows of an import, each of which has its own line', async () => {
    const lines = await shownBy(
      'pets',
      'import',
      csv('some', (i) => i % 1_000 === 700),
    );
    const reason = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';
    expect(lines).toEqual([
      ...[702, 1702, 2702, 3702, 4702].map((line) => `Line ${line}: ${reason}`),
      expect.stringMatching(/^Adding pets \[=+\] 100% \| 5,000\/5,000 \| [\d,]+\/s$/),
      '5,000 rows: 4,995 imported, 5 refused.',
      expect.stringMatching(/ pets undo-import 1$/),
      expect.stringMatching(/refused rows .* above/),
      `Database: ${file}`,
    ]);
  });

  it('shows the written rows of an export to a file, and rows per second', async () => {
    expect(await shownBy('pets', 'export', '--output', 'pets.csv')).toEqual([
      expect.stringMatching(/^Writing pets [\d,]+ \| [\d,]+\/s$/),
      expect.stringMatching(/^[\d,]+ .* pets\.csv\.$/),
      `Database: ${file}`,
    ]);
  });
});
