import { execFileSync } from 'node:child_process';
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
    ['test/support/service/service.ts', ['console', 'postgres']],
    ['test/nodes/support/balancer.ts', ['nodes', 'upgrades']],
    ['test/modules/support/guide-blocks.ts', ['modules', 'deployment']],
    ['src/platform/cli/output.ts', ['commands', 'process', 'modules', 'deployment', 'nodes', 'faults']],
    ['src/admin/database/distribute.command.ts', ['commands', 'modules', 'nodes']],
    ['package-lock.json', ['console', 'process', 'neighbours']],
  ])('runs for %s, among others, %j', (path, groups) => {
    expect(groupsOf(path)).toEqual(expect.arrayContaining(groups));
  });

  it('runs no group for a page that none reads', () => {
    expect(groupsOf('LICENSE')).toEqual([]);
  });
});
