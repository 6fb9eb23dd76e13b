interface Environment {
  teardown(): void;
}

const JestEnvironment = require('./jest-environment.cjs') as new (options: object) => Environment;

describe('The end of a test file', () => {
  let environment: Environment;
  const surroundings = process.env;

  beforeEach(() => {
    environment = new JestEnvironment({ projectConfig: { fakeTimers: {} } });
  });
  // What a test has left would be in the next one.
  afterEach(() => environment.teardown());

  it('removes what the file has added to globalThis, and restores what it has replaced', () => {
    const { fetch, console } = globalThis;
    Object.assign(globalThis, { fetch: () => undefined, console: {}, leftBehind: true });
    environment.teardown();
    expect([globalThis.fetch, globalThis.console]).toEqual([fetch, console]);
    expect(globalThis).not.toHaveProperty('leftBehind');
  });

  it('restores the environment variables even after all were replaced', () => {
    const before = { ...process.env };
    process.env.LEFT_BEHIND = 'yes';
    process.env.PATH = '/nowhere';
    process.env = {};
    environment.teardown();
    expect(process.env).toBe(surroundings);
    expect({ ...process.env }).toEqual(before);
  });

  it('restores the listeners and the exit code of the process', () => {
    const [listeners, { exitCode }] = [process.rawListeners('warning'), process];
    process.removeAllListeners('warning').on('warning', () => undefined);
    process.on('SIGUSR2', () => undefined);
    process.exitCode = 7;
    environment.teardown();
    expect(process.rawListeners('warning')).toEqual(listeners);
    expect(process.listenerCount('SIGUSR2')).toBe(0);
    expect(process.exitCode).toBe(exitCode);
  });
});
