import service from '../../../package.json';
import tools from '../package.json';

describe('@petstore/tools', () => {
  it('depends on the same versions of packages as the service, which bundles it', () => {
    expect(service.dependencies).toMatchObject(tools.dependencies);
  });
});
