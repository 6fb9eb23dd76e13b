import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/service-process';

afterEach(endServiceProcesses);

/** The service on a Node that says it is of another version. */
function startOnNode(version: string): ServiceProcess {
  const cwd = makeFolder();
  const preload = join(cwd, 'other-node.cjs');
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  return new ServiceProcess({}, { cwd, nodeOptions: ['--require', preload] });
}

describe('A start on Node', () => {
  it.each(['18.20.8', '20.19.5', '23.11.1'])(
    '%s ends with 1 and says in one line what is needed',
    async (version) => {
      const service = startOnNode(version);
      expect(await service.ended).toEqual({ code: 1, signal: null });
      expect(service.stdout).toBe('');
      expect(service.stderr).toBe(
        `The petstore service needs Node.js 24 or newer, and this is ${version}: start it with an npm script, which brings its own.\n`,
      );
    },
  );

  it.each(['24.0.0', '100.1.0'])('%s, which is new enough, serves requests', async (version) => {
    const service = startOnNode(version);
    await service.listening();
    expect((await service.fetch('/health/ready', '')).status).toBe(200);
  });
});
