/**
 * Run at the end of each build: writes dist/sbom.cdx.json, the packages that the service needs in production, in CycloneDX.
 * They are read from the lock file, so what is installed besides does not change the list.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Written by tools/commit.mjs where the commit is known. */
const COMMIT_FILE = join('dist', 'commit.json');

const { name, version, description, license, dependencies, overrides } = readJson('package.json');
const lock = readJson('package-lock.json');

// `npm sbom --omit=dev` leaves out what a package for development needs as well. So npm is shown a project without those.
const installed = Object.entries(lock.packages).filter(
  ([path, { dev, optional, devOptional }]) =>
    path.startsWith('node_modules/') && !dev && !optional && !devOptional,
);
const peers = new Set(installed.flatMap(([, { peerDependencies = {} }]) => Object.keys(peerDependencies)));
// A workspace is a part of the service itself, unless a module that is installed asks for it.
const packages = installed.flatMap(([path, { link, resolved }]) => {
  if (!link) return [[path, lock.packages[path]]];
  return peers.has(path.slice('node_modules/'.length))
    ? [path, resolved].map((each) => [each, lock.packages[each]])
    : [];
});
const manifest = { name, version, description, license, private: true, dependencies, overrides };

const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
try {
  // npm names the list after the folder.
  const project = join(folder, name);
  mkdirSync(project);
  writeJson(join(project, 'package.json'), manifest);
  writeJson(join(project, 'package-lock.json'), {
    ...lock,
    packages: Object.fromEntries([['', manifest], ...packages]),
  });
  const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const text = execFileSync('npm', ['sbom', ...options], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
    // On Windows npm is a command file.
    shell: process.platform === 'win32',
  });
  const sbom = JSON.parse(text);
  // Both differ each time, both may be left out, and two builds of one commit are to be the same to the byte.
  delete sbom.serialNumber;
  delete sbom.metadata.timestamp;
  if (existsSync(COMMIT_FILE)) {
    const { commit } = readJson(COMMIT_FILE);
    sbom.metadata.component.properties = [{ name: 'petstore:commit', value: commit }];
  }
  writeJson(join('dist', 'sbom.cdx.json'), sbom);
} finally {
  rmSync(folder, { recursive: true });
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
