import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../src/platform/jobs/is-running';
import { makeFolder } from '../support/folders';
import { copyBuild } from '../support/processes/copied-build';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { installNpmVersions, type NpmVersion } from './support/npm-versions';

const PROJECT = join(__dirname, '..', '..');
const STOPPED = 'The service has stopped.';

let programOf: (version: NpmVersion) => string;

let services: number[];

beforeAll(() => {
  programOf = installNpmVersions();
});
beforeEach(() => {
  services = [];
});
afterEach(async () => {
  for (const pid of services.filter((each) => isRunning(each))) process.kill(pid, 'SIGKILL');
  await endServiceProcesses();
});

/** A project with the scripts and the build of this one. What `npm ci` would install is found in the folder above it. */
function makeProject(): string {
  const folder = makeFolder();
  const app = join(folder, 'app');
  mkdirSync(app);
  copyBuild(app, folder);
  cpSync(join(PROJECT, 'tools'), join(app, 'tools'), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    engines: object;
    scripts: Record<string, string>;
  };
  const { name, version, engines, scripts } = manifest;
  const own = {
    name,
    version,
    engines,
    scripts: { ...scripts, postinstall: 'node --version', build: 'node --version' },
  };
  writeFileSync(join(app, 'package.json'), JSON.stringify(own));
  const lock = { name, version, lockfileVersion: 3, requires: true, packages: { '': { name, version } } };
  writeFileSync(join(app, 'package-lock.json'), JSON.stringify(lock));
  return app;
}

/** Runs a command in a project of its own, waits until the service listens, and remembers its process. */
async function serve(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ started: ServiceProcess; pid: number }> {
  const cwd = makeProject();
  // npm ends when its input does, and asks for newer versions of itself.
  const settings = { HOME: cwd, npm_config_update_notifier: 'false', ...environment };
  const started = await ServiceProcess.start(settings, { cwd, command });
  const response = await fetch(`${started.managementUrl}/health/live`);
  const { pid } = (await response.json()) as { pid: number };
  services.push(pid);
  return { started, pid };
}

async function uptimeOf({ managementUrl }: ServiceProcess): Promise<number> {
  const response = await fetch(`${managementUrl}/health/live`);
  return ((await response.json()) as { uptimeSeconds: number }).uptimeSeconds;
}

const npm = (version: NpmVersion, ...words: string[]) => [process.execPath, programOf(version), ...words];
const hasStopped = ({ stderr }: ServiceProcess) => stderr.includes(STOPPED);

describe('npm', () => {
  it.each<[string, NpmVersion, string[]]>([
    ['npm start', 'npm 10', ['start']],
    ['npm start', 'npm 11', ['start']],
    ['npm run quickstart', 'npm 10', ['run', 'quickstart']],
    ['npm run quickstart', 'npm 11', ['run', 'quickstart']],
  ])(
    'ends the service that %s of %s has started, and all processes between, at SIGTERM',
    async (_title, version, words) => {
      const { started, pid } = await serve(npm(version, ...words));
      started.signal('SIGTERM');
      await until(() => !isRunning(pid));
      // Comes when no process has its output any more: not npm, nor a shell, nor another npm.
      await started.ended;
      expect(hasStopped(started)).toBe(true);
    },
  );

  it.each([
    ['SIGTERM', '/bin/sh'],
    ['SIGINT', '/bin/sh'],
    // It becomes the service, which then is npm's child and gets the signal from npm too.
    ['SIGTERM', '/bin/bash'],
    ['SIGINT', '/bin/bash'],
  ] as const)(
    'and the service stop once when a terminal sends %s to all processes, with the shell %s',
    async (signal, shell) => {
      const command = ['setsid', '--wait', ...npm('npm 11', 'start')];
      const { started, pid } = await serve(command, { DRAIN_DELAY: '1s', npm_config_script_shell: shell });
      process.kill(-groupOf(pid), signal);
      await until(() => !isRunning(pid));
      await started.ended;
      expect(hasStopped(started)).toBe(true);
    },
  );

  it('ends the service with it even on a system that keeps the number of a dead parent, like Windows', async () => {
    const keeps = 'Object.defineProperty(process, "ppid", { value: process.ppid })';
    const { started, pid } = await serve(npm('npm 11', 'start'), {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(keeps)}`,
    });
    started.signal('SIGTERM');
    await until(() => !isRunning(pid));
    await started.ended;
    expect(hasStopped(started)).toBe(true);
  });

  it('leaves a service that a second signal ends at once', async () => {
    const { started, pid } = await serve(npm('npm 11', 'start'), { DRAIN_DELAY: '3600s' });
    started.signal('SIGTERM');
    await until(() => started.stderr.includes('The service is stopping.'));
    await until(() => {
      // Those that come right after the first may be the same that npm has passed on.
      if (isRunning(pid)) process.kill(pid, 'SIGTERM');
      return !isRunning(pid);
    });
    await started.ended;
    expect(hasStopped(started)).toBe(false);
  });
});

/** The process group of a process, by proc(5). */
function groupOf(pid: number): number {
  const [, , , , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
  return Number(group);
}

describe('The end of a parent process', () => {
  /** Starts a command from a shell that ends at once, as a person does who logs out. */
  const leftBehind = (...command: string[]) => ['sh', '-c', '"$@" & sleep 0.1', 'sh', ...command];

  it.each<[string, () => string[], Record<string, string>]>([
    ['that has started npm, by nohup', () => leftBehind('nohup', ...npm('npm 11', 'start')), {}],
    ['that npm has not started', () => leftBehind(process.execPath, 'dist/src/main.js'), {}],
    [
      'that another script of npm has started',
      () => leftBehind(process.execPath, 'dist/src/main.js'),
      { npm_lifecycle_event: 'deploy' },
    ],
    [
      'that npm has started for another project',
      () => leftBehind(process.execPath, 'dist/src/main.js'),
      { npm_lifecycle_event: 'start', npm_package_json: join(PROJECT, 'package.json') },
    ],
  ])('does not stop the service when it was one %s', async (_title, command, environment) => {
    const { started, pid } = await serve(command(), environment);
    // By its own clock, so it has looked for its parent several times.
    const longUp = (await uptimeOf(started)) + 1;
    await until(async () => (await uptimeOf(started)) > longUp);
    expect((await started.fetch('/health/ready', '')).status).toBe(200);
    process.kill(pid, 'SIGTERM');
    await started.ended;
  });
});

test('The script quickstart is the command of start: a shell that has run another Node.js before would take that one again', () => {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    scripts: { start: string; quickstart: string };
  };
  expect(scripts.quickstart).toBe(scripts.start);
});
