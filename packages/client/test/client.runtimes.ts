import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runSql } from '../../../test/contract/support/sql.ts';
import { makeFolder } from '../../../test/support/folders.ts';
import { startTestService, type TestService } from '../../../test/support/service/service.ts';
import { ESSENTIALS, expectEssentials, installClient } from './support/installed-client.ts';
import { installRuntimes } from './support/runtimes.ts';

/** The next id is beyond what a number can hold. */
const FAR = 2n ** 62n;

/** The runtimes that the README promises besides browsers, and how each runs a program. */
const RUNTIMES = [
  ['Node.js 22', 'node', []],
  // Deno asks before a program may do anything, and would look for a newer version of itself.
  ['Deno', 'deno', ['run', '--no-remote', '--allow-env', '--allow-net=127.0.0.1', '--allow-read=.']],
  // Without the option Bun fetches missing packages.
  ['Bun', 'bun', ['run', '--no-install']],
] as const;

describe('The client, as npm installs it', () => {
  const app = makeFolder();
  let programs: ReturnType<typeof installRuntimes>;
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService('sqlite');
    await runSql(service.database, `INSERT INTO pets (id, name, category_id) VALUES (${FAR}, 'Zero', 0)`);
    await installClient(app);
    cpSync(ESSENTIALS, join(app, basename(ESSENTIALS)));
    programs = installRuntimes();
  });
  afterAll(() => service.stop());

  it.each(RUNTIMES)(
    'adds pets, lists them, retries, aborts and reports errors on %s as on Node.js',
    async (_title, name, words) => {
      const command = [programs[name], ...words, basename(ESSENTIALS), '@petstore/client'];
      await expectEssentials(service, app, command, {
        DENO_NO_UPDATE_CHECK: '1',
        DENO_DIR: join(app, '.deno'),
      });
    },
  );
});
