/**
 * Part of each build: writes Swagger UI as Brotli compresses it at its best, a fifth shorter than gzip does, beside the other files of
 * the docs page. That takes three seconds, so the file is kept in `node_modules/.cache` for later builds.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { writeWhole } from './bundle.mjs';

const PROJECT = join(import.meta.dirname, '..');
const PACKAGE = join(PROJECT, 'node_modules', 'swagger-ui-dist');
const ASSETS = join('src', 'platform', 'openapi', 'assets');

/** @param to the folder that stands for the root of the project */
export function compressSwaggerUi(to) {
  const text = readFileSync(join(PACKAGE, 'swagger-ui-bundle.js'));
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const digest = createHash('sha256').update(text).digest('hex');
  const kept = join(PROJECT, 'node_modules', '.cache', 'petstore', `swagger-ui-${digest}.br`);
  const compressed = existsSync(kept) ? readFileSync(kept) : brotliCompressSync(text);
  keep(kept, compressed);
  writeFileSync(join(to, ASSETS, `swagger-ui-bundle-${version}.js.br`), compressed);
}

/** Keeps the file for later builds, unless packages are where nobody may write. */
function keep(file, content) {
  if (existsSync(file)) return;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeWhole(file, content);
  } catch {
    // The next build compresses again.
  }
}
