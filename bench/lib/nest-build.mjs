import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFileSync } from '@swc/core';

const OPTIONS = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'commonjs' },
};

/**
 * Compiles the stock Nest peer into the folder `target` and returns the path of its entry.
 * `target` must lie inside the project, so that the peer finds the project's packages.
 */
export function buildNestPeer(source, target) {
  for (const file of globSync('**/*.ts', { cwd: source })) {
    const out = join(target, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, transformFileSync(join(source, file), OPTIONS).code);
  }
  return join(target, 'main.js');
}
