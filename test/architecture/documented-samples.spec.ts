import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeBlocksOf } from '../modules/support/guide-blocks';

const PROJECT = join(__dirname, '..', '..');

const AUDIT_LINES = 'src/admin/audit/audit-lines.spec.ts';
const COMMANDS = 'test/admin/cli/documented-commands.process.ts';
const PAGES = 'test/modules/pages.modules.ts';
const OWN_SERVICE = 'test/modules/own-service.modules.ts';
const SHIPPING = 'test/modules/shipping-a-module.modules.ts';
const RESTORE = 'test/nodes/backup-and-restore.nodes.ts';
const FAILOVER = 'test/nodes/failover.nodes.ts';
const CITUS = 'test/admin/cli/distributing.citus.ts';
const PROXIES = 'test/deployment/support/proxies.ts';
const ONE_MACHINE = 'test/deployment/one-machine.deployment.ts';
const GUIDE = 'test/browser/guide.browser.ts';
const NEIGHBOURS = 'test/neighbours/support/tools.ts';

/** The tests that run the blocks of each page, by language. A list or a drawing, which is no code, has none. */
const RUN_BY: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'CONTRIBUTING.md': { sh: [COMMANDS] },
  'README.md': { sh: [COMMANDS], text: [COMMANDS], http: [COMMANDS], json: [COMMANDS] },
  'deploy/README.md': { sh: [COMMANDS, 'test/deployment/kubernetes.deployment.ts'] },
  'docs/adding-a-module.md': { sh: [PAGES], json: [PAGES], diff: [PAGES], ts: [PAGES] },
  'docs/architecture.md': { mermaid: [] },
  'docs/day-two.md': { sh: [PAGES], diff: [PAGES], ts: [PAGES] },
  'docs/operations/citus.md': { sh: [CITUS], sql: [CITUS] },
  'docs/how-do-i.md': { sh: [COMMANDS] },
  'docs/jobs-and-events.md': {
    sh: ['test/admin/cli/jobs-page.commands.ts'],
    ts: ['test/events/jobs-and-events-page.spec.ts'],
  },
  'docs/living-with-a-fork.md': { sh: [COMMANDS] },
  'docs/operations/audit.md': { sh: [COMMANDS], json: [AUDIT_LINES], yaml: [AUDIT_LINES] },
  'docs/operations/behind-a-proxy.md': {
    caddyfile: [PROXIES],
    haproxy: [PROXIES],
    nginx: [PROXIES],
    sh: [PROXIES],
    yaml: [PROXIES],
  },
  'docs/operations/command-line.md': { sh: [COMMANDS] },
  'docs/operations/console.md': { sh: [COMMANDS] },
  'docs/operations/database.md': { sh: [FAILOVER] },
  'docs/operations/erasure.md': { sh: [COMMANDS] },
  'docs/operations/install.md': { sh: [COMMANDS] },
  'docs/operations/keys.md': { sh: [COMMANDS], toml: ['src/platform/security/api-key-token.spec.ts'] },
  'docs/operations/more-than-one-process.md': { sh: [COMMANDS, ONE_MACHINE], ini: [ONE_MACHINE] },
  'docs/operations/recovery.md': { sh: [COMMANDS, RESTORE], conf: [RESTORE], ini: [RESTORE] },
  'docs/operations/upgrade.md': { sh: [COMMANDS] },
  'docs/operations/watch.md': { sh: [COMMANDS], json: [COMMANDS] },
  'docs/own-service.md': { sh: [OWN_SERVICE], json: [OWN_SERVICE] },
  'docs/schema-changes.md': {
    diff: ['test/upgrades/side-by-side.upgrades.ts'],
    ts: [
      'test/upgrades/side-by-side.upgrades.ts',
      'src/platform/database/schema/schema-changes-page.spec.ts',
    ],
    sql: ['src/platform/database/schema/schema-changes-page.spec.ts'],
  },
  'docs/shipping-a-module.md': { sh: [SHIPPING], json: [SHIPPING] },
  'docs/testing-a-module.md': {
    sh: ['test/ordinary-nest/testing-page.spec.ts'],
    ts: ['test/ordinary-nest/testing-page.spec.ts'],
  },
  'docs/updating-generated-code.md': { sh: [PAGES] },
  'packages/mcp/README.md': { json: ['packages/mcp/test/mcp.spec.ts'] },
  'packages/client/README.md': {
    sh: ['packages/client/test/package.spec.ts'],
    ts: ['packages/client/test/package.spec.ts'],
  },
  'src/platform/openapi/guide/clients.md': { sh: [GUIDE], ts: [NEIGHBOURS] },
  'src/platform/openapi/guide/conditional-requests.md': { sh: [GUIDE] },
  'src/platform/openapi/guide/int64.md': { js: [GUIDE] },
  'src/platform/openapi/guide/paging.md': { http: ['test/contract/paging.spec.ts'] },
  'src/platform/openapi/guide/partial-updates.md': { sh: ['test/modules/support/shown-code.ts'] },
  'src/platform/openapi/guide/quick-start.md': { sh: [GUIDE], js: [GUIDE] },
  'src/platform/openapi/guide/rate-limits.md': { http: ['test/contract/rate-limit-policies.spec.ts'] },
  'src/platform/openapi/guide/retries.md': { sh: [GUIDE] },
};

/** The languages of the blocks in each page that has any. */
function languagesInPages(): Record<string, string[]> {
  const pages = globSync(
    [
      '*.md',
      '{docs,docs/decisions,docs/operations,deploy}/*.md',
      'packages/*/*.md',
      'src/platform/openapi/guide/*.md',
    ],
    {
      cwd: PROJECT,
    },
  ).sort();
  const found = pages.map((page) => {
    const blocks = codeBlocksOf(readFileSync(join(PROJECT, page), 'utf8'));
    return [page, [...new Set(blocks.map(({ language }) => language))].sort()] as const;
  });
  return Object.fromEntries(found.filter(([, languages]) => languages.length > 0));
}

describe('The code in the docs', () => {
  it('is run by tests in every block', () => {
    const listed = Object.entries(RUN_BY).map(([page, tests]) => [page, Object.keys(tests).sort()]);
    expect(languagesInPages()).toEqual(Object.fromEntries(listed));
  });

  it.each(Object.entries(RUN_BY))('is run by tests that read its page: %s', (page, tests) => {
    for (const test of Object.values(tests).flat()) {
      const folder =
        /docs\/operations(?=\/)/.exec(page)?.[0] ?? (page.includes('/guide/') ? '/docs/guide' : '');
      const name = folder || basename(page);
      expect([test, readFileSync(join(PROJECT, test), 'utf8').includes(name)]).toEqual([test, true]);
    }
  });
});
