import ts from 'typescript';

/** Folders whose rules hold for modules in repositories of their own. */
const SHARED = ['src/**', '**/*.spec.ts'];

interface LintConfig {
  readonly overrides: readonly { readonly files: readonly string[] }[];
}

/**
 * The rules of the linter for a repository: those of the service, without the exceptions for its own folders.
 *
 * @param text the configuration of the service
 */
export function lintConfig(text: string): string {
  const { config } = ts.parseConfigFileTextToJson('.oxlintrc.json', text) as { config: LintConfig };
  const overrides = config.overrides.filter(({ files }) => files.some((file) => SHARED.includes(file)));
  return JSON.stringify({
    ...config,
    overrides: [
      ...overrides,
      // What the module offers, and nothing else.
      { files: ['src/index.ts'], rules: { 'oxc/no-barrel-file': 'off' } },
    ],
  });
}

export const PRETTIER_IGNORE = 'dist/\nnode_modules/\nvendor/\npackage-lock.json\n';

/** Every check of the repository, for any CI: it needs Node.js and npm alone. */
export const CI = `#!/usr/bin/env bash
# Every check on a clean checkout; the first that fails ends it.
set -euo pipefail
cd "$(dirname "$0")/.."
export CI=true

npm ci --no-audit --no-fund
npm run -s format:check
npm run -s lint
npm run -s types
npm test
npm pack --dry-run
`;
