/** `npm run build`: compiles the service into `dist`, and prepares its start. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { bundlePackages } from './bundle.mjs';
import { build, failsInWords } from './compile.mjs';
import { compressSwaggerUi } from './compress.mjs';

const PROJECT = join(import.meta.dirname, '..');

await failsInWords(async () => {
  build(PROJECT);
  compressSwaggerUi(join(PROJECT, 'dist'));
  await bundlePackages();
  execFileSync(process.execPath, [join(PROJECT, 'dist', 'src', 'write-command-outlines.js')]);
});
