import { packageVersion } from '../../../src/platform/config/package-version';
import { makeBuild, runBuild } from '../../process/support/builds';

const GIVEN = '0123456789abcdef0123456789abcdef01234567';

describe('petstore doctor', () => {
  it.each([
    ['says the commit of its build', GIVEN],
    ['of a build that knows no commit says none', undefined],
  ])('%s', (_title, commit) => {
    const project = makeBuild(commit);
    const version = packageVersion();
    const name = commit ? `${version} (commit ${commit})` : version;
    expect(runBuild(project, 'doctor')).toContain(`petstore ${name} on Node.js`);
    const report = JSON.parse(runBuild(project, 'doctor', '--json')) as { commit?: string };
    expect([report.commit, report]).toMatchObject([commit, { version }]);
  });
});
