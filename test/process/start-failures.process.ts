import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '../../src/platform/security/api-key-token';
import { endServiceProcesses, ServiceProcess, type SpawnOptions } from '../support/processes/service-process';

/** Root may write anywhere, so its children give that power up. */
const PLAIN_USER = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
const PASSWORD = 'open-sesame';

let cwd: string;
let listener: Server | undefined;

beforeEach(() => {
  // Not within the folder of the run, which a child without root's powers cannot enter.
  cwd = mkdtempSync(join(tmpdir(), 'petstore-start-'));
});
afterEach(async () => {
  await endServiceProcesses();
  chmodSync(cwd, 0o755);
  rmSync(cwd, { recursive: true });
  listener?.close();
  listener = undefined;
});

/** What a start that fails tells its operator: its lines on stderr, but for the log of what went well before. */
async function failure(
  environment: Record<string, string>,
  options: Partial<SpawnOptions> = {},
): Promise<string[]> {
  const service = new ServiceProcess(environment, { cwd, ...options });
  expect(await service.ended).toEqual({ code: 1, signal: null });
  expect(service.stdout).toBe('');
  expect(service.stderr).not.toContain(PASSWORD);
  expect(service.warnings()).toEqual([]);
  return service.stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
}

/** Listens on a free port; what happens to connections is the caller's. */
async function listen(): Promise<number> {
  listener = createServer();
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  return (listener.address() as AddressInfo).port;
}

describe('A start that fails exits with 1 and one clear sentence', () => {
  it('when the port is in use, without making the first key', async () => {
    const port = await listen();
    expect(await failure({ PORT: String(port) })).toEqual([
      `Port ${port} on 127.0.0.1 is in use; stop what listens there or choose another with PORT.`,
    ]);
    const next = await ServiceProcess.start({}, { cwd });
    expect(next.printedKey).toMatch(/^petk_/);
  });

  it('when this machine does not have the address HOST', async () => {
    // 203.0.113.0/24 is for documentation (RFC 5737): no machine has an address of it.
    expect(await failure({ HOST: '203.0.113.7' })).toEqual([
      'This machine has no address 203.0.113.7; choose another with HOST.',
    ]);
  });

  it('when the folder of the database file lies below a file', async () => {
    writeFileSync(join(cwd, 'data'), '');
    const file = join(cwd, 'data', 'petstore.sqlite');
    expect(await failure({})).toEqual([
      `The database file ${file} cannot be written: a part of its path is a file, not a folder.`,
    ]);
  });

  it('when the folder of the database file cannot be written', async () => {
    chmodSync(cwd, 0o555);
    const [sentence, ...others] = await failure(
      { DATABASE_URL: 'sqlite:./x.sqlite' },
      { through: PLAIN_USER },
    );
    expect(sentence).toContain(`The database file ${join(cwd, 'x.sqlite')} cannot be written: EACCES`);
    expect(others).toEqual([]);
  });

  it('when the folder of the database file cannot be made', async () => {
    chmodSync(cwd, 0o555);
    const [sentence, ...others] = await failure({}, { through: PLAIN_USER });
    expect(sentence).toContain('petstore.sqlite cannot be written: EACCES');
    expect(others).toEqual([]);
  });

  it('when the database file is read-only', async () => {
    writeFileSync(join(cwd, 'x.sqlite'), '', { mode: 0o444 });
    const [sentence, ...others] = await failure({ DATABASE_URL: 'sqlite:x.sqlite' }, { through: PLAIN_USER });
    expect(sentence).toContain(`The database file ${join(cwd, 'x.sqlite')} cannot be written: EACCES`);
    expect(others).toEqual([]);
  });

  it('when the database file is a folder', async () => {
    mkdirSync(join(cwd, 'x.sqlite'));
    expect(await failure({ DATABASE_URL: 'sqlite:x.sqlite' })).toEqual([
      `The database file ${join(cwd, 'x.sqlite')} is a folder.`,
    ]);
  });

  it('when the checksum of BOOTSTRAP_API_KEY is wrong, without showing the key', async () => {
    const token = createToken();
    const damaged = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    expect(await failure({ BOOTSTRAP_API_KEY: damaged })).toEqual([
      'BOOTSTRAP_API_KEY must be an API key: petk_ and 49 letters and digits, the last six of which are a checksum.',
    ]);
  });

  it('for each faulty setting, all at once', async () => {
    const lines = await failure({
      PORT: '70000',
      DATABASE_URL: `mysql://petstore:${PASSWORD}@localhost/petstore`,
      MIGRATE_ON_START: 'yes',
      LOG_LEVEL: 'loud',
      STAGING_BASE_URL: 'https://staging.example.com',
      BOOTSTRAP_API_KEY: PASSWORD,
    });
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([
      'BOOTSTRAP_API_KEY',
      'DATABASE_URL',
      'LOG_LEVEL',
      'MIGRATE_ON_START',
      'PORT',
      'STAGING_BASE_URL',
    ]);
    expect(lines.filter((line) => !line.endsWith('.'))).toEqual([]);
  });
});

describe('A start on PostgreSQL that fails exits with 1 and one clear sentence without the password', () => {
  const at = (host: string) => `postgres://petstore:${PASSWORD}@${host}/petstore`;

  it('when nothing listens at the address', async () => {
    const port = await listen();
    listener?.close();
    expect(await failure({ DATABASE_URL: at(`127.0.0.1:${port}`) })).toEqual([
      `The PostgreSQL database petstore at 127.0.0.1:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.`,
    ]);
  });

  it('when the host cannot be resolved', async () => {
    const [sentence, ...others] = await failure({ DATABASE_URL: at('nowhere.invalid') });
    expect(sentence).toContain('The PostgreSQL database petstore at nowhere.invalid cannot be reached: ');
    expect(others).toEqual([]);
  });

  it('when the server accepts the connection and never responds', async () => {
    const port = await listen();
    expect(
      await failure({ DATABASE_URL: at(`127.0.0.1:${port}`), DATABASE_STATEMENT_TIMEOUT_MS: '1000' }),
    ).toEqual([
      `The PostgreSQL database petstore at 127.0.0.1:${port} cannot be reached: Connection terminated due to connection timeout.`,
    ]);
  });

  it('when the password is wrong', async () => {
    const url = new URL(process.env.TEST_POSTGRES_URL as string);
    url.password = PASSWORD;
    const [sentence, ...others] = await failure({ DATABASE_URL: url.href });
    expect(sentence).toContain(`at ${url.host} cannot be reached: password authentication failed`);
    expect(others).toEqual([]);
  });

  it('when the server has no such database', async () => {
    const url = new URL(process.env.TEST_POSTGRES_URL as string);
    url.pathname = '/no_such';
    expect(await failure({ DATABASE_URL: url.href })).toEqual([
      `The PostgreSQL database no_such at ${url.host} cannot be reached: database "no_such" does not exist.`,
    ]);
  });
});
