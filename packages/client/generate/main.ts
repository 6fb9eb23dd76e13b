import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeClient } from './client-source.ts';
import type { ApiDocument } from './document.ts';

const CLIENT = join(import.meta.dirname, '..');
const DOCUMENT = join(CLIENT, '..', '..', 'docs', 'openapi.json');

/** Writes the generated sources of the client; with `--check` only compares. */
async function main(args: readonly string[]): Promise<void> {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as ApiDocument;
  const sources = Object.entries(await writeClient(document, CLIENT));
  if (args.includes('--check')) return check(sources);
  for (const [path, text] of sources) {
    const file = join(CLIENT, 'src', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function check(sources: readonly (readonly [string, string])[]): void {
  for (const [path, text] of sources) {
    if (read(join(CLIENT, 'src', path)) === text) continue;
    process.stderr.write(
      `packages/client/src/${path} differs from docs/openapi.json; run npm run artefacts and commit it.\n`,
    );
    process.exitCode = 1;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

await main(process.argv.slice(2));
