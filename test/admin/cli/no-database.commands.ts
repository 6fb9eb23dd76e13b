import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../support/folders';
import { CliInProcess } from '../../cli/support/cli-in-process';

/** Commands of every kind that reads or changes what a database holds. */
const COMMANDS = [
  'db status',
  'db check',
  'db check --quick --json',
  'db backup safe.sqlite',
  'db backup backups --every 15 --keep 3',
  'db revert --yes',
  'keys list --json',
  'keys create --name me --scopes pets:read',
  'pets list',
  'pets create --name Rex --category-id 3 --status available',
  'read-only on',
  'read-only status',
  'audit list',
  'requests list',
  'report keys',
  'jobs list',
] as const;

const wordsOf = (command: string) => command.split(' ');

describe('A command without a SQLite file', () => {
  it.each(COMMANDS)(
    'ends with exit code 3, names the path and creates no file: petstore %s',
    async (command) => {
      const cli = new CliInProcess({});
      const { code, stdout, stderr } = await cli.run(...wordsOf(command));
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain(` ${join(cli.folder, 'data', 'petstore.sqlite')}`);
      expect(stderr).toContain('"petstore db migrate"');
      expect(readdirSync(cli.folder).filter((name) => name !== 'backups')).toEqual([]);
    },
  );

  it.each(['db migrate', 'seed --count 1'])(
    'creates one when that is its purpose: petstore %s',
    async (command) => {
      const cli = new CliInProcess({ DATABASE_URL: 'sqlite:new/petstore.sqlite', NODE_ENV: 'production' });
      expect(await cli.run(...wordsOf(command))).toMatchObject({ code: 0 });
      expect(await cli.run('pets', 'list')).toMatchObject({ code: 0 });
    },
  );

  it('is reported by doctor, which creates none', async () => {
    const cli = new CliInProcess({ NODE_ENV: 'production' });
    const { code, stdout } = await cli.run('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; found: string }[] };
    const missing = {
      name: 'database',
      status: 'fail',
      found: expect.stringContaining('petstore.sqlite'),
    };
    expect([code, checks]).toEqual([1, expect.arrayContaining([expect.objectContaining(missing)])]);
    expect(existsSync(join(cli.folder, 'data'))).toBe(false);
  });
});

describe('A command on a SQLite file without tables', () => {
  it.each(['keys list', 'pets list', 'read-only on', 'db backup safe.sqlite'])(
    'treats the file as missing: petstore %s',
    async (command) => {
      const folder = makeFolder();
      writeFileSync(join(folder, 'empty.sqlite'), '');
      const cli = new CliInProcess({ DATABASE_URL: 'sqlite:empty.sqlite' }, folder);
      const { code, stdout, stderr } = await cli.run(...wordsOf(command));
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain(
        `There is no database in ${join(folder, 'empty.sqlite')}: it has none of the tables of this service.`,
      );
      expect(existsSync(join(folder, 'safe.sqlite'))).toBe(false);
    },
  );

  it('ends with exit code 1 when db check finds every migration pending', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'empty.sqlite'), '');
    const cli = new CliInProcess({ DATABASE_URL: 'sqlite:empty.sqlite' }, folder);
    const { code, stdout } = await cli.run('db', 'check');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('"petstore db migrate"') as unknown,
    });
  });
});

describe('A command on a database in memory', () => {
  it('is refused, because its changes would be lost', async () => {
    const cli = new CliInProcess({ DATABASE_URL: 'sqlite::memory:' });
    const { code, stderr } = await cli.run('keys', 'create', '--name', 'me', '--scopes', 'pets:read');
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('in memory') as unknown,
    });
  });
});
