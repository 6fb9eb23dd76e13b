import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { makeFolder } from '../../support/folders';
import type { Resource } from './schemas';
import { PROJECT } from './dockerfile';

const FOLDER = join(PROJECT, 'deploy', 'kubernetes');

/** Every kustomization of the project, by its folder within deploy/kubernetes. */
export const KUSTOMIZATIONS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('kustomization.yaml'))
  .map((path) => dirname(path));

/** What `kubectl kustomize` makes of one of them. */
export function kustomize(name: string): Resource[] {
  const output = execFileSync('kubectl', ['kustomize', join(folder(), name)], { encoding: 'utf8' });
  return parseAllDocuments(output).map((document) => document.toJS() as Resource);
}

/** The only resource of a kind. */
export function findOne<T extends Resource>(resources: readonly Resource[], kind: string): T {
  const found = resources.filter((resource) => resource.kind === kind);
  expect(found).toHaveLength(1);
  return found[0] as T;
}

/** Debian's kubectl, older than 1.21, takes folders as `bases` only, which newer ones no longer want to see. */
function folder(): string {
  const version = execFileSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' });
  if ('kustomizeVersion' in (JSON.parse(version) as object)) return FOLDER;
  const copy = makeFolder();
  cpSync(FOLDER, copy, { recursive: true });
  for (const name of KUSTOMIZATIONS) {
    const file = join(copy, name, 'kustomization.yaml');
    const { resources, ...rest } = parse(readFileSync(file, 'utf8')) as { resources: string[] };
    const isFolder = (path: string) => statSync(join(copy, name, path)).isDirectory();
    const bases = resources.filter(isFolder);
    const files = resources.filter((path) => !isFolder(path));
    writeFileSync(file, JSON.stringify({ ...rest, bases, resources: files }));
  }
  return copy;
}
