import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addScanCommand } from '../../src/auth/leaks/keys-scan.command';
import { commandGroups } from '../../src/create-cli';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, describeOneEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { CliInProcess } from './support/cli-in-process';

interface KeyJson {
  readonly id: string;
  readonly key: string;
}

function git(folder: string, ...words: string[]): string {
  const identity = ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.com'];
  return execFileSync('git', ['-C', folder, ...identity, ...words], { encoding: 'utf8' }).trim();
}

function commit(folder: string, message: string): string {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
  return git(folder, 'rev-parse', 'HEAD');
}

describe('petstore keys scan without a database', () => {
  const cli = new CliInProcess({ DATABASE_URL: 'postgres://petstore:s3cret@127.0.0.1:1/petstore' });

  it('reports that it has found no key', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'notes'), 'petk_');
    expect(await cli.run('keys', 'scan', folder)).toMatchObject({
      code: 0,
      stderr: 'No API key was found.\n',
    });
  });

  it('is loaded without the other commands about keys, but listed among them', async () => {
    expect(await commandGroups(['keys', 'scan', '.'])).toEqual([addScanCommand]);
    expect(await commandGroups(['keys', '--help'])).toEqual([expect.any(Function), addScanCommand]);
  });

  it('reports a key without saying whether it works', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'notes'), createToken());
    expect(await cli.run('keys', 'scan', folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('database') as unknown,
    });
  });
});

describeOneEngine('petstore keys scan', (engine) => {
  let database: TestDatabase;
  let cli: CliInProcess;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
  });
  afterAll(() => database.drop());
  beforeEach(() => (folder = makeFolder()));

  const make = () => cli.json<KeyJson>('keys', 'create', '--name', 'shop', '--scopes', 'pets:read');
  const scan = async (...options: string[]) => {
    const { code, stdout, stderr } = await cli.run('keys', 'scan', folder, '--json', ...options);
    return { code, stderr, findings: JSON.parse(stdout) as unknown[] };
  };

  it('finds keys in files, says whether they work, and never shows them', async () => {
    const [active, revoked] = [await make(), await make()];
    await cli.run('keys', 'revoke', revoked.id, '--yes');
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, '.env'), `A=1\nKEY="${active.key}"\nOLD=${revoked.key}`);
    // A long line of a file that is not text: the key lies where two parts of it meet.
    const noise = Buffer.alloc(65_520, 0xff);
    writeFileSync(join(folder, 'deep', 'image'), Buffer.concat([noise, Buffer.from(active.key), noise]));
    const mistyped = `${active.key.slice(0, -1)}${active.key.endsWith('0') ? '1' : '0'}`;
    writeFileSync(join(folder, 'other'), `${createToken()}\n${mistyped}`);
    symlinkSync('/', join(folder, 'everything'));

    const { code, stdout, stderr } = await cli.run('keys', 'scan', folder, '--json');
    expect(stdout + stderr).not.toContain('petk_');
    expect(JSON.parse(stdout)).toHaveLength(4);
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        { file: '.env', line: 2, commit: null, keyId: active.id, status: 'active' },
        { file: '.env', line: 3, commit: null, keyId: revoked.id, status: 'revoked' },
        { file: 'deep/image', line: 1, commit: null, keyId: active.id, status: 'active' },
        { file: 'other', line: 1, commit: null, keyId: null, status: 'unknown' },
      ]),
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'One active key was found.\n' });
  });

  it('finds keys in every commit, and names the one that added them', async () => {
    const [removed, said, merged] = [await make(), await make(), await make()];
    git(folder, 'init', '--quiet', '--initial-branch', 'main');
    writeFileSync(join(folder, 'ünï code.txt'), `one\n++ b/trap\n${removed.key}\nend\n`);
    const first = commit(folder, 'Add');
    rmSync(join(folder, 'ünï code.txt'));
    commit(folder, 'Remove');
    const second = commit(folder, `Note\n\nThe key is ${said.key}, do not tell.`);
    git(folder, 'switch', '--quiet', '--create', 'side');
    writeFileSync(join(folder, 'side.txt'), `a\nb\n${merged.key}\n`);
    const third = commit(folder, 'Side');
    git(folder, 'switch', '--quiet', 'main');
    git(folder, 'merge', '--quiet', '--no-ff', 'side');

    const { code, findings } = await scan();
    expect(findings).toHaveLength(4);
    expect(findings).toEqual(
      expect.arrayContaining([
        { file: 'ünï code.txt', line: 3, commit: first, keyId: removed.id, status: 'active' },
        { file: null, line: 3, commit: second, keyId: said.id, status: 'active' },
        { file: 'side.txt', line: 3, commit: third, keyId: merged.id, status: 'active' },
        { file: 'side.txt', line: 3, commit: null, keyId: merged.id, status: 'active' },
      ]),
    );
    expect(code).toBe(1);
  });

  it('disables found keys when told to, and records where they were: exit code 1', async () => {
    const { id, key } = await make();
    writeFileSync(join(folder, 'notes'), key);
    const { code, stderr } = await scan('--disable');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'One active key was found and is disabled.\n' });
    const { items } = await cli.json<{ items: { actor: string }[] }>(
      'audit',
      'list',
      '--subject',
      `keys/${id}`,
    );
    const [event] = items;
    expect(event).toMatchObject({
      action: 'keys.disable',
      after: { status: 'disabled', foundAt: 'notes:1' },
    });
    expect(event?.actor).toMatch(/^cli:/);
    expect(await scan()).toMatchObject({ code: 0, findings: [{ keyId: id, status: 'disabled' }] });
  });

  it('says when it finds nothing, and refuses a missing path', async () => {
    writeFileSync(join(folder, 'notes'), 'petk_');
    expect(await cli.run('keys', 'scan', folder)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No API key was found.\n',
    });
    expect(await scan()).toEqual({ code: 0, stderr: '', findings: [] });
    expect(await cli.run('keys', 'scan', join(folder, 'none'))).toMatchObject({ code: 2, stdout: '' });
  });

  it('shows findings as a table', async () => {
    const { id, key } = await make();
    writeFileSync(join(folder, 'notes'), key);
    const { stdout } = await cli.run('keys', 'scan', join(folder, 'notes'));
    expect(stdout).toContain(`notes\t1\t-\t${id}\tactive\n`);
  });
});
