import { join } from 'node:path';
import { makeFolder } from '../../support/folders';
import { CliProcess } from '../../cli/support/cli-process';
import { screenOf } from './support/screen';

const COLUMNS = 500;

describe('The database that a command has worked on', () => {
  const file = join(makeFolder(), 'petstore.sqlite');
  const cli = new CliProcess({ DATABASE_URL: `sqlite:${file}` });
  const line = `Database: ${file}`;

  beforeAll(async () => {
    await cli.run('db', 'migrate');
    await cli.run('seed', '--count', '2');
  });

  async function shownBy(args: string, typed = ''): Promise<string[]> {
    const { stdout } = await cli.runOnTerminal(args.split(' '), typed, COLUMNS);
    return screenOf(stdout, COLUMNS);
  }

  it.each(['pets list', 'pets show 5', 'keys list', 'jobs list', 'requests list', 'report usage'])(
    'is the last line that %s writes for a person',
    async (args) => {
      expect((await shownBy(args)).at(-1)).toBe(line);
    },
  );

  it.each(['db status', 'db check --quick', 'read-only on', 'read-only off', 'doctor'])(
    'is named once by %s, in words of its own',
    async (args) => {
      const lines = await shownBy(args);
      expect(lines.filter((each) => each.includes(file))).toHaveLength(1);
      expect(lines).not.toContain(line);
    },
  );

  it('is named before a question, and not again after it', async () => {
    const lines = await shownBy('pets remove 1', 'n\n');
    const question = lines.findIndex((each) => each.startsWith('Remove the pet 1?'));
    expect(lines[question - 1]).toBe(line);
    expect(lines.filter((each) => each === line)).toHaveLength(1);
  });

  it.each([
    'pets create --name Rex --category-id 1',
    'pets update 2 --name Rex',
    'pets remove 2 --yes',
    'pets restore 2',
    'keys create --name cron --scopes pets:read',
  ])('is named without a terminal too by %s, because a cron job may work on a wrong one', async (args) => {
    const { code, stdout, stderr } = await cli.run(...args.split(' '));
    expect(code).toBe(0);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(line);
    expect(stdout).not.toContain(file);
  });

  it('is named although a message tells of a file whose name begins like its own', async () => {
    const { stderr } = await cli.run('pets', 'export', '--output', `${file}.csv`);
    expect(stderr.split('\n')).toContain(line);
  });

  it('is not named with JSON, by a list in a pipe, or when none was opened', async () => {
    expect(await shownBy('pets list --json')).not.toContain(line);
    expect(await shownBy('config check')).not.toContain(line);
    expect(await shownBy('pets show x')).not.toContain(line);
    expect(await cli.run('pets', 'list')).toMatchObject({ code: 0, stderr: '' });
  });
});
