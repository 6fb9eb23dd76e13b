import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { doctor, freePorts } from './support/doctor';

describe('petstore doctor of a SQLite file', () => {
  it.each<[string, (cli: CliInProcess) => string]>([
    [
      'is damaged or is not a SQLite database',
      ({ folder }) => {
        writeFileSync(join(folder, 'notes'), 'a list of things to do\n'.repeat(100));
        return 'notes';
      },
    ],
    [
      'is a folder',
      ({ folder }) => {
        mkdirSync(join(folder, 'inner'));
        return 'inner';
      },
    ],
  ])('fails when it %s, and goes on', async (complaint, prepare) => {
    const cli = new CliInProcess(await freePorts());
    const { code, say, of } = await doctor(cli.with({ DATABASE_URL: `sqlite:${prepare(cli)}` }));
    expect([code, say('database')]).toEqual([1, expect.stringContaining(complaint)]);
    expect(of('openFiles')).toHaveLength(1);
  });

  it('says that migrations are pending: a warning where the service applies them itself', async () => {
    const cli = new CliInProcess(await freePorts());
    await cli.run('db', 'migrate');
    await cli.run('db', 'revert', '--yes');
    expect((await doctor(cli)).say('migrations')).toMatch(/^warn 1 of \d+ .*: \w+\.$/);
    const careful = await doctor(cli.with({ MIGRATE_ON_START: 'false' }));
    expect([careful.code, careful.say('migrations')]).toEqual([1, expect.stringMatching(/^fail 1 of/)]);
    expect((await cli.json<{ isCurrent: boolean }>('db', 'status')).isCurrent).toBe(false);
  });

  it('fails when the database is not intact, with the first fault of each kind', async () => {
    const cli = new CliInProcess(await freePorts());
    await cli.run('db', 'migrate');
    const path = join(cli.folder, 'data', 'petstore.sqlite');
    const file = new SqliteDatabase(path);
    file.exec('CREATE TABLE a (id INTEGER PRIMARY KEY)');
    file.exec('CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id))');
    file.pragma('foreign_keys = OFF');
    file.exec('INSERT INTO b (a) VALUES (1), (2)');
    file.close();
    const advised = async (...options: string[]) => {
      const { code, say, of } = await doctor(cli, ...options);
      return [code, say('integrity'), of('integrity')[0]?.advice];
    };
    expect(await advised('--deep')).toEqual([
      1,
      expect.stringMatching(/^fail foreignKeys: .* And 1 more\./),
      expect.stringContaining('db check'),
    ]);
    const pages = readFileSync(path);
    const middle = Math.floor(pages.length / 8192) * 4096;
    // The first page holds the schema.
    writeFileSync(path, pages.fill(0x5a, middle, middle + 4096));
    expect(await advised()).toEqual([
      1,
      expect.stringMatching(/^fail integrity: /),
      expect.stringContaining('backup'),
    ]);
  });

  it('warns when there is no key, and fails when no key is active', async () => {
    const cli = new CliInProcess(await freePorts());
    await cli.run('db', 'migrate');
    expect((await doctor(cli)).say('keys')).toMatch(/^warn /);
    const { id } = await cli.json<{ id: string }>('keys', 'create', '--name', 'a', '--scopes', 'pets:read');
    await cli.run('keys', 'revoke', id);
    expect((await doctor(cli)).say('keys')).toMatch(/^fail /);
  });
});
