import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const json = (path: string) => JSON.parse(read(path)) as { engines: { node: string } };

/** Named here alone; the other places have the same. */
const [version = ''] = /\d+/.exec(json('package.json').engines.node) ?? [];

/** Each place that names a version of Node.js for the service, and how. */
const PLACES: readonly (readonly [path: string, name: RegExp])[] = [
  ['Dockerfile', /^FROM node:(\d+)-/gm],
  ['Dockerfile', /Node\.js (\d+)/g],
  ['CONTRIBUTING.md', /brings Node\.js (\d+)/g],
  ['deploy/README.md', /Node\.js (\d+)/g],
  ['docs/operations/install.md', /Node\.js (\d+)/g],
  ['docs/shipping-a-module.md', /Node\.js is (\d+)/g],
  ['packages/create/src/new-module/readme.ts', /Node\.js (\d+)/g],
  ['packages/create/src/new-service/files/Dockerfile.template', /^FROM node:(\d+)-/gm],
  ['packages/create/src/new-service/files/package.json.template', /"node": ">=(\d+)"/g],
  ['packages/mcp/README.md', /Node\.js (\d+)/g],
  ['packages/mcp/package.json', /"node": ">=(\d+)"/g],
  ['src/process/require-node.ts', /major < (\d+)|Node\.js (\d+)/g],
  ['tools/bundle.mjs', /'node(\d+)'/g],
];

it.each(PLACES)('%s names the Node.js of package.json, where it has %s', (path, name) => {
  const named = [...read(path).matchAll(name)].map((match) => match[1] ?? match[2]);
  expect(named).not.toEqual([]);
  expect(named).toEqual(named.map(() => version));
});
