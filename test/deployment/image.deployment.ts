import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { SETTINGS_DECLARATION } from '../../src/platform/config/settings';
import { until } from '../support/until';
import { copiedFromProject, DOCKERFILE, PROJECT, wordsOf } from './support/dockerfile';
import { lockedForProduction } from './support/locked-packages';

/** An SBOM in CycloneDX, as npm writes it. */
interface Sbom {
  readonly components: readonly {
    readonly purl: string;
    readonly hashes: readonly [{ readonly alg: string; readonly content: string }];
  }[];
}

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');

describe('The Dockerfile', () => {
  it('has no fault that a linter finds', () => {
    expect(validate(DOCKERFILE)).toEqual([]);
  });

  it('starts the same program as npm start, and declares the ports and the signal of the service', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    expect(wordsOf('ENTRYPOINT').map((words) => words.join(' '))).toEqual([scripts.start]);
    const ports = [SETTINGS_DECLARATION.PORT, SETTINGS_DECLARATION.MANAGEMENT_PORT];
    expect(wordsOf('EXPOSE')).toEqual([ports.map((setting) => setting.default)]);
    expect(wordsOf('STOPSIGNAL')).toEqual([['SIGTERM']]);
  });

  it('ends as a user whom Kubernetes can tell from root, with a volume', () => {
    expect(wordsOf('USER')).toEqual([[expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]]);
    expect(wordsOf('VOLUME')).toEqual([['/data']]);
  });

  it('copies what the project has, and .dockerignore lets through', () => {
    const [first, ...others] = read('.dockerignore')
      .split('\n')
      .filter((line) => !/^(#|$)/.test(line));
    expect(first).toBe('*');
    const copied = copiedFromProject();
    expect(copied).toContain('src');
    expect(copied.filter((path) => globSync(path, { cwd: PROJECT }).length === 0)).toEqual([]);
    expect(copied.filter((path) => !others.some((line) => isUnder(path, line.slice(1))))).toEqual([]);
  });
});

it('The SBOM lists the production packages with the digests of the lock file', () => {
  const sbom = JSON.parse(read('dist/sbom.cdx.json')) as Sbom;
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { type: 'application', name: 'petstore' } },
  });
  const digests = sbom.components.map(({ purl, hashes: [hash] }) => [purl, hash.alg, hash.content]);
  const locked = lockedForProduction().map(([path, { version, integrity }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const digest = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
    return [`pkg:npm/${name.replace('@', '%40')}@${version}`, 'SHA-512', digest];
  });
  // One that lies in two places is listed once.
  const places = new Map(locked.map((line) => [line.join(' '), line]));
  expect(digests.sort()).toEqual([...places.values()].sort());
});

function docker(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('docker', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`docker ${words[0]}: ${stderr}`);
  return stdout.trim();
}

if (spawnSync('docker', ['version']).status === 0) {
  it('The image serves from a read-only root, is healthy, and stops at SIGTERM', async () => {
    const image = docker('build', '--quiet', PROJECT);
    const volume = ['--volume', `${docker('volume', 'create')}:/data`];
    docker('run', '--rm', ...volume, '--entrypoint', 'petstore', image, 'db', 'migrate');
    const rights = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    const container = docker('run', '--detach', ...rights, ...volume, image);
    const state = (part: string) => docker('inspect', '--format', `{{.State.${part}}}`, container);
    try {
      await until(() => state('Health.Status') === 'healthy');
      docker('stop', container);
      expect(state('ExitCode')).toBe('0');
    } finally {
      docker('rm', '--force', '--volumes', container);
    }
  });
} else {
  it.skip('The image was not built: there is no Docker engine here', () => undefined);
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
