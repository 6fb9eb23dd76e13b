import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { makeBuild, runBuild } from './support/builds';

const PROJECT = join(__dirname, '..', '..');
const GIVEN = '0123456789abcdef0123456789abcdef01234567';
const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };

afterEach(endServiceProcesses);

function git(cwd: string, ...words: string[]): string {
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...author, ...words], { cwd, encoding: 'utf8' }).trim();
}

/** A folder with the tool that writes the commit. */
function makeSources(folder = makeFolder()): string {
  mkdirSync(join(folder, 'tools'), { recursive: true });
  cpSync(join(PROJECT, 'tools', 'commit.mjs'), join(folder, 'tools', 'commit.mjs'));
  writeFileSync(join(folder, '.gitignore'), 'dist/\n');
  return folder;
}

/** The same as a clone with one commit. */
function makeClone(): { readonly folder: string; readonly head: string } {
  const folder = makeSources();
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'One');
  return { folder, head: git(folder, 'rev-parse', 'HEAD') };
}

/** The commit that a build of these sources has. */
function commitOf(folder: string, environment: Record<string, string> = {}): string | undefined {
  const env = { PATH: process.env.PATH, ...environment };
  execFileSync(process.execPath, [join(folder, 'tools', 'commit.mjs')], { env, stdio: 'pipe' });
  const file = join(folder, 'dist', 'commit.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { commit: string }).commit;
}

describe('The commit of a build', () => {
  it('is that of the clone', () => {
    const { folder, head } = makeClone();
    expect(commitOf(folder)).toBe(head);
  });

  it('says when the clone has uncommitted changes', () => {
    const { folder, head } = makeClone();
    writeFileSync(join(folder, 'new.ts'), '');
    expect(commitOf(folder)).toBe(`${head}-dirty`);
  });

  it('is the one that the builder is given, as for an image', () => {
    expect(commitOf(makeSources(), { PETSTORE_COMMIT: GIVEN })).toBe(GIVEN);
  });

  it('is absent without a history, also after a build that had one', () => {
    const folder = makeSources();
    expect(commitOf(folder, { PETSTORE_COMMIT: GIVEN })).toBe(GIVEN);
    expect(commitOf(folder, { PETSTORE_COMMIT: '' })).toBeUndefined();
  });

  it('is absent in a folder of another repository', () => {
    const { folder } = makeClone();
    expect(commitOf(makeSources(join(folder, 'vendor', 'petstore')))).toBeUndefined();
  });

  it('is refused when it is not a commit', () => {
    expect(() => commitOf(makeSources(), { PETSTORE_COMMIT: 'main' })).toThrow(
      'PETSTORE_COMMIT must be the hash of a commit, as git rev-parse HEAD gives it.',
    );
  });
});

describe('A build', () => {
  it.each([
    ['says its commit', GIVEN],
    ['that knows no commit says none', undefined],
  ])('%s in --version, health and metrics', async (_title, commit) => {
    const project = makeBuild(commit);
    const name = commit ? `${version} (commit ${commit})` : version;
    expect(runBuild(project, '--version')).toBe(`${name}\n`);

    const service = await ServiceProcess.start({}, { cwd: project, project });
    const ask = async (path: string) => (await fetch(`${service.managementUrl}${path}`)).text();
    const health = JSON.parse(await ask('/health')) as Record<string, unknown>;
    expect([health.version, health.commit]).toEqual([version, commit]);
    const [, labels] = /^petstore_build_info\{(.*)\} 1$/m.exec(await ask('/metrics')) ?? [];
    const expected = [`version="${version}"`, ...(commit ? [`commit="${commit}"`] : [])];
    expect(labels?.split(',').filter((label) => !label.startsWith('node_version'))).toEqual(expected);
  });
});
