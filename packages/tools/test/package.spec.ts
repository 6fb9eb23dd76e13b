import service from '../../../package.json';
import tools from '../package.json';

describe('@petstore/tools', () => {
  it('asks for the versions that the service has, which is built with it', () => {
    expect(service.dependencies).toMatchObject(tools.dependencies);
  });
});
