import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { resultOf } from '../../support/processes/command';
import { createMigratedDatabase } from '../../support/databases/migrated-database';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { CLI_ENTRY } from '../../cli/support/cli-process';

/** Runs a command where no file can be written. */
function onReadOnlySystem(cli: CliInProcess, file: string, words: readonly string[]) {
  const system = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  const child = spawn('bwrap', [...system, process.execPath, CLI_ENTRY, ...words], {
    cwd: cli.folder,
    env: { PATH: process.env.PATH, DATABASE_URL: `sqlite:${file}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return resultOf(child);
}

describe('On a read-only file system', () => {
  it('a command reads a backup, and does nothing that writes', async () => {
    const database = await createMigratedDatabase('sqlite');
    const cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('pets', 'create', '--name', 'Rex', '--category-id', '1');
    await cli.run('db', 'backup', 'backup.sqlite');
    const backup = join(cli.folder, 'backup.sqlite');
    for (const words of [
      'db status',
      'db check',
      'pets list',
      'pets export',
      'audit list',
      'keys list',
      'find Rex',
    ])
      expect({ words, ...(await onReadOnlySystem(cli, backup, words.split(' '))) }).toMatchObject({
        words,
        code: 0,
      });
    expect((await onReadOnlySystem(cli, backup, ['pets', 'list'])).stdout).toContain('Rex');
    const creation = ['pets', 'create', '--name', 'Bo', '--category-id', '1'];
    expect((await onReadOnlySystem(cli, backup, creation)).code).not.toBe(0);
    const served = await onReadOnlySystem(cli, database.url.replace('sqlite:', ''), ['pets', 'list']);
    expect([served.code, served.stderr]).toEqual([1, expect.stringContaining('read-only')]);
    await database.drop();
  });
});
