/**
 * `npm run artefacts`: writes every committed file that is made from other files: the documents of the settings, the OpenAPI
 * document, the TypeScript client, the list of exports, the figures of the benchmark. `-- --check` writes nothing, and fails when one of
 * them differs from what would be written.
 */
import { spawnSync } from 'node:child_process';

const WRITERS = [
  'dist/src/process/write-settings-docs.js',
  'dist/src/process/openapi-document.js',
  'packages/client/generate/main.ts',
  'packages/platform/exports.mjs',
  'bench/pages.mjs',
];

const flags = process.argv.includes('--check') ? ['--check'] : [];
const failed = WRITERS.filter(
  (writer) => spawnSync(process.execPath, [writer, ...flags], { stdio: 'inherit' }).status !== 0,
);
if (failed.length > 0) {
  if (flags.length > 0) process.stderr.write('Run npm run artefacts, and commit what it has written.\n');
  process.exitCode = 1;
}
