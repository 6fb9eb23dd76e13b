import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultOf } from '../../support/processes/command';
import { CLI_ENTRY } from '../../cli/support/cli-process';
import { CliInProcess } from '../../cli/support/cli-in-process';

/** Runs a program under a number that has no name, as containers do that are given any user. */
const NAMELESS = ['unshare', '--user', '--map-user=54321', '--map-group=54321'];

describe('A user whose number has no name', () => {
  // Not below the folder of the other tests, which may belong to the user of PostgreSQL.
  const folder = mkdtempSync(join(tmpdir(), 'petstore-nameless-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('can make the first key and work with records, and is the actor by that number', async () => {
    const environment = { DATABASE_URL: 'sqlite:petstore.sqlite' };
    const cli = new CliInProcess(environment, folder);
    await cli.run('db', 'migrate');
    const [unshare = '', ...options] = NAMELESS;
    for (const words of [
      ['keys', 'create', '--name', 'first', '--scopes', 'pets:read', '--json'],
      ['pets', 'create', '--name', 'Rex', '--category-id', '1', '--json'],
    ]) {
      const child = spawn(unshare, [...options, process.execPath, CLI_ENTRY, ...words], {
        cwd: cli.folder,
        env: { PATH: process.env.PATH, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      expect(await resultOf(child)).toMatchObject({
        code: 0,
        stderr: expect.not.stringContaining('ENOENT') as string,
      });
    }
    const { items } = await cli.json<{ items: { action: string; actor: string }[] }>('audit', 'list');
    expect(items.map(({ action, actor }) => [action, actor])).toEqual([
      ['pets.create', 'cli:54321'],
      ['keys.create', 'cli:54321'],
    ]);
  });
});
