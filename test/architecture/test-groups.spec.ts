import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');

/** The groups that `npm run test:changed` runs for a path. */
function groupsOf(path: string): string[] {
  const code = `import { groupsOf } from './tools/test-groups.mjs'; console.log(JSON.stringify(groupsOf([process.argv[1]])))`;
  const options = { cwd: PROJECT, encoding: 'utf8' } as const;
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', code, path], options);
  return JSON.parse(out) as string[];
}

describe('npm run test:changed', () => {
  it.each([
    ['test/support/processes/service-process.ts', ['process', 'modules', 'deployment', 'nodes', 'faults']],
    ['test/support/folders.ts', ['commands', 'browser', 'generator', 'upgrades', 'histories']],
    ['test/support/fixtures/job-worker.mjs', ['process', 'modules', 'nodes']],
    ['test/support/service/service.ts', ['commands', 'postgres']],
    ['test/nodes/support/balancer.ts', ['nodes', 'upgrades']],
    ['test/modules/support/guide-blocks.ts', ['modules', 'deployment']],
    ['src/platform/cli/output.ts', ['commands', 'process', 'modules', 'deployment', 'nodes', 'faults']],
    ['src/admin/database/distribution/distribute.command.ts', ['commands', 'modules', 'nodes', 'citus']],
    ['src/platform/config/called-as.ts', ['process', 'modules', 'deployment', 'nodes', 'faults', 'citus']],
    ['src/process/command-app.ts', ['process', 'modules', 'deployment', 'nodes', 'faults', 'citus']],
    ['src/admin/database/restore.check.ts', ['process', 'deployment', 'nodes', 'citus']],
    ['src/platform/rate-limit/redis.check.ts', ['process', 'deployment', 'nodes', 'citus']],
    [
      'src/platform/migrations/1763700044000-create-schema.ts',
      ['postgres', 'engines', 'upgrades', 'faults', 'citus'],
    ],
    ['src/admin/records/commands/list-commands.ts', ['modules', 'deployment']],
    ['test/contract/support/describe-operations.ts', ['postgres', 'engines']],
    ['test/contract/support/sent-errors.ts', ['console', 'process', 'neighbours']],
    ['test/support/databases/postgres-reaper-process.mts', ['console', 'process', 'neighbours']],
    ['test/support/service/testing-contract.ts', ['modules']],
    ['docs/schema-changes.md', ['modules', 'upgrades']],
    ['docs/operations/behind-a-proxy.md', ['process', 'deployment']],
    ['docs/how-do-i.md', ['process', 'modules']],
    ['packages/platform/index.js', ['generator', 'modules', 'upgrades', 'histories']],
    ['test/support/processes/copied-build.ts', ['process', 'generator', 'modules', 'upgrades', 'histories']],
    ['test/support/http/raw-http.ts', ['generator', 'modules']],
    ['test/contract/support/good-request.ts', ['generator', 'modules']],
    ['src/features.ts', ['generator', 'modules']],
    ['bench/run.mjs', ['process']],
    ['src/platform/events/claim-statements.ts', ['postgres', 'faults', 'histories']],
    ['package-lock.json', ['console', 'process', 'neighbours']],
  ])('runs for %s, among others, %j', (path, groups) => {
    expect(groupsOf(path)).toEqual(expect.arrayContaining(groups));
  });

  it('knows each group that is a script', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const groups = Object.entries(scripts).flatMap(([name, command]) =>
      command.includes('--testRegex') && name.startsWith('test:') ? [name.slice('test:'.length)] : [],
    );
    // A file that every group has.
    expect(groupsOf('package.json').toSorted()).toEqual(groups.toSorted());
  });

  it('runs no group for a page that none reads', () => {
    expect(groupsOf('LICENSE')).toEqual([]);
  });
});
