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
 * Compiles the TypeScript files of the folder `source` that match `pattern` into the folder `target`, which must lie
 * inside the project, so that what is compiled finds the project's packages.
 */
export function compile(source, target, pattern = '**/*.ts') {
  for (const file of globSync(pattern, { cwd: source })) {
    const out = join(target, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, transformFileSync(join(source, file), OPTIONS).code);
  }
}
