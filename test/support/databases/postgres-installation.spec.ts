import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  giveTree,
  packagedPostgres,
  runnablePostgres,
  serverOwner,
  type ProcessOwner,
} from './postgres-installation';

describe('runnablePostgres', () => {
  let root: string;
  let owner: ProcessOwner;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'petstore-installation-'));
    owner = await serverOwner();
    await giveTree(owner, root);
  });

  afterAll(() => rm(root, { recursive: true }));

  async function folder(name: string): Promise<string> {
    const path = join(root, name);
    await mkdir(path);
    await giveTree(owner, path);
    return path;
  }

  async function version(program: string): Promise<string> {
    return (await promisify(execFile)(program, ['--version'], { ...owner, cwd: root })).stdout;
  }

  it('never runs PostgreSQL as root', () => {
    expect(owner.uid ?? process.getuid?.()).not.toBe(0);
  });

  it('completes a copy when npm has skipped the install script, and uses a complete installation directly', async () => {
    const unlinked = join(root, 'without-install-script');
    await cp(packagedPostgres(), unlinked, {
      recursive: true,
      filter: async (path) => !(await lstat(path)).isSymbolicLink(),
    });
    await giveTree(owner, unlinked);
    await expect(version(join(unlinked, 'bin', 'postgres'))).rejects.toThrow('libicu');

    const first = await folder('first');
    const completed = await runnablePostgres(unlinked, first, owner);

    expect(completed.postgres.startsWith(first)).toBe(true);
    expect(await version(completed.postgres)).toMatch(/^postgres \(PostgreSQL\) 18\./);
    expect(await version(completed.initdb)).toMatch(/^initdb \(PostgreSQL\) 18\./);
    expect(await runnablePostgres(join(first, 'native'), await folder('second'), owner)).toEqual(completed);
  });

  it('fails when the package holds no PostgreSQL', async () => {
    await expect(runnablePostgres(join(root, 'absent'), await folder('third'), owner)).rejects.toThrow(
      'ENOENT',
    );
  });
});
