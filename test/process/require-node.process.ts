import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';

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

describe('A start on Node.js', () => {
  it.each(['20.19.5', '24.21.0', '25.9.0'])(
    '%s exits with 1 and says in one line what is needed',
    async (version) => {
      const service = startOnNode(version);
      expect(await service.ended).toEqual({ code: 1, signal: null });
      expect(service.stdout).toBe('');
      expect(service.stderr).toBe(
        `The petstore service needs Node.js 26 or newer, but this is ${version}. Run npm ci, which installs it, and start by an npm script, which uses it.\n`,
      );
    },
  );

  it.each(['26.0.0', '100.1.0'])('%s serves requests', async (version) => {
    const service = startOnNode(version);
    await service.listening();
    expect((await service.fetch('/health/ready', '')).status).toBe(200);
  });
});

describe('After an installation', () => {
  /** Writes a program that says it is a Node.js of this version. */
  function writeNode(folder: string, version: string): string {
    mkdirSync(folder, { recursive: true });
    const program = join(folder, 'node');
    writeFileSync(program, `#!/bin/sh\necho v${version}\n`, { mode: 0o755 });
    return program;
  }

  it.each([
    ['24.21.0', '20.20.2', 'its own, for that of the machine is older', true],
    ['24.21.0', '24.9.0', 'its own, for that of the machine is older', true],
    ['24.21.0', '24.21.0', 'its own, which is the same', true],
    ['24.21.0', '24.22.1', 'that of the machine, which is newer', false],
    ['24.21.0', '26.0.0', 'that of the machine, which is newer', false],
  ])('with Node.js %s on a machine with %s, npm scripts use %s', (own, machines, _which, isKept) => {
    const cwd = makeFolder();
    const program = writeNode(join(cwd, 'node_modules', '.bin'), own);
    writeNode(join(cwd, 'usr', 'bin'), machines);
    // As npm has it.
    const PATH = [join(cwd, 'node_modules', '.bin'), join(cwd, 'usr', 'bin'), '/usr/bin', '/bin'].join(':');
    const script = join(__dirname, '..', '..', 'tools', 'newer-node.mjs');
    execFileSync(process.execPath, [script], { cwd, env: { PATH } });
    expect(existsSync(program)).toBe(isKept);
  });
});
