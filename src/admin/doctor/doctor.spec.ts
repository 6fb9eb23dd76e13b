import { chmodSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../test/support/folders';
import { loadSettings } from '../../platform/config/load-settings';
import type { ServerFacts } from '../database/server-facts';
import type { DoctorCheck, DoctorContext, Finding } from './check';
import { checkClock, CLOCK } from './clock.check';
import { checkServer } from './database.check';
import { checkSpace, DISK, type Space } from './disk.check';
import { integrityCheck } from './integrity.check';
import { checkLimit } from './open-files.check';
import { checkReplicas } from './other-servers.check';
import { doubtsAbout, isLoopback } from './settings.check';

const MIB = 1_048_576;
const POSTGRES = 'postgres://petstore@db/petstore';

/** Runs a check on its own, without a database that it could open. */
async function run(check: DoctorCheck, environment: Record<string, string>): Promise<readonly Finding[]> {
  const database = () => Promise.resolve({});
  return check.run({ settings: loadSettings(environment), database } as unknown as DoctorContext);
}

describe("The doctor's check of the settings", () => {
  const doubts = (environment: Record<string, string>) =>
    doubtsAbout(loadSettings(environment)).map(({ found }) => found);

  it.each<[string, Record<string, string>]>([
    ['the defaults', {}],
    ['a node behind a proxy', { PUBLIC_BASE_URL: 'https://api.example.com/v1', TRUST_PROXY: 'loopback' }],
    ['one of several nodes', { DATABASE_URL: POSTGRES, REDIS_URL: 'redis://redis' }],
    ['one of several nodes on a machine', { REDIS_URL: 'redis://redis' }],
    ['a container', { HOST: '0.0.0.0', NODE_ENV: 'production' }],
    ['a public port on PostgreSQL, where no key is made', { HOST: '::', DATABASE_URL: POSTGRES }],
    ['a service without a proxy', { PUBLIC_BASE_URL: 'http://10.0.0.7/v1' }],
  ])('doubts nothing about %s', (_title, environment) => {
    expect(doubts(environment)).toEqual([]);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ MANAGEMENT_HOST: '0.0.0.0' }, /management port listens on 0\.0\.0\.0/],
    [{ MANAGEMENT_HOST: '10.0.0.7' }, /management port listens on 10\.0\.0\.7/],
    [{ HOST: '0.0.0.0' }, /NODE_ENV is development/],
    [{ RATE_LIMIT_PER_MINUTE: '0' }, /nothing is limited/],
    [{ PUBLIC_BASE_URL: 'https://api.example.com/v1' }, /TRUST_PROXY is empty/],
    [{ TRUST_PROXY: '1' }, /PUBLIC_BASE_URL is not set/],
    [{ TRUST_PROXY: 'loopback' }, /PUBLIC_BASE_URL is not set/],
    [{ DATABASE_URL: 'sqlite::memory:' }, /in memory/],
    [{ RATE_LIMIT_PER_MINUT: '5' }, /RATE_LIMIT_PER_MINUTE/],
    [{ LOG_LEVEL: 'silent' }, /the reasons of failed requests are not logged/],
  ])('doubts %j', (environment, doubt) => {
    expect(doubts(environment)).toEqual([expect.stringMatching(doubt)]);
  });

  it('accepts as loopback only addresses that other machines cannot reach', () => {
    expect(['127.0.0.1', '127.8.0.1', '::1', 'localhost'].filter((host) => !isLoopback(host))).toEqual([]);
    expect(['0.0.0.0', '::', '10.0.0.1', 'example.com', '127.0.0.1.example.com'].filter(isLoopback)).toEqual(
      [],
    );
  });
});

describe("The doctor's check of the disk", () => {
  const disk = (change: Partial<Space>): Space => ({
    type: 0xef53,
    bsize: 4_096,
    bavail: (10 * 1_024 * MIB) / 4_096,
    files: 1_000,
    ffree: 500,
    ...change,
  });
  const faultsOf = (change: Partial<Space>, size = MIB) =>
    checkSpace(disk(change), size).map(({ status, found }) => `${status} ${found}`);

  it('passes when a backup fits, even on a file system that does not count files', () => {
    expect([...faultsOf({}), ...faultsOf({ files: 0, ffree: 0 })]).toEqual([]);
  });

  it.each<[Partial<Space>, number, RegExp]>([
    [{ bavail: (512 * MIB) / 4_096 }, MIB, /^warn 512 MiB are free, and the database has 1 MiB/],
    [{}, 20 * 1_024 * MIB, /^warn 10 GiB are free, and the database has 20 GiB/],
    [{ bavail: (63 * MIB) / 4_096 }, MIB, /^fail Only 63 MiB are free/],
    [{ bavail: 0 }, MIB, /^fail Only 0 bytes are free/],
    [{ ffree: 0 }, MIB, /^fail The file system has no room for more files/],
    [{ type: 0x6969 }, MIB, /^fail The database is on a network file system/],
  ])('complains about %j', (change, size, complaint) => {
    expect(faultsOf(change, size)).toEqual([expect.stringMatching(complaint)]);
  });

  it.each(['notes/petstore.sqlite', 'notes/data/petstore.sqlite'])(
    'fails when the folder of %s is not one that it may use, and names what is in its way',
    async (path) => {
      const folder = makeFolder();
      writeFileSync(join(folder, 'notes'), '');
      expect(await run(DISK, { DATABASE_URL: `sqlite:${join(folder, path)}` })).toEqual([
        {
          status: 'fail',
          found: expect.stringContaining(join(folder, 'notes')) as unknown,
          advice: expect.any(String) as unknown,
        },
      ]);
    },
  );

  it('warns of a write-ahead log that does not shrink', async () => {
    const file = join(makeFolder(), 'petstore.sqlite');
    const wal = `${file}-wal`;
    for (const each of [file, wal]) writeFileSync(each, '');
    truncateSync(wal, 256 * MIB);
    expect(await run(DISK, { DATABASE_URL: `sqlite:${file}` })).toMatchObject([{ status: 'ok' }]);
    truncateSync(wal, 300 * MIB);
    expect(await run(DISK, { DATABASE_URL: `sqlite:${file}` })).toMatchObject([
      { status: 'warn', found: expect.stringContaining('300 MiB') },
    ]);
  });

  it.each([
    ['change', '602', 'development'],
    ['change', '606', 'production'],
    ['read', '604', 'production'],
  ])('warns that others can %s the file of mode %s in %s', async (what, mode, nodeEnv) => {
    const folder = makeFolder();
    const file = join(folder, 'petstore.sqlite');
    const environment = { DATABASE_URL: `sqlite:${file}`, NODE_ENV: nodeEnv };
    writeFileSync(file, '');
    chmodSync(file, Number.parseInt(mode, 8));
    expect(await run(DISK, environment)).toMatchObject([{ status: 'ok' }]);
    chmodSync(folder, 0o711);
    expect(await run(DISK, environment)).toMatchObject([
      {
        status: 'warn',
        found: expect.stringContaining(` ${what} ${file}`),
        advice: expect.stringContaining('chmod'),
      },
    ]);
  });
});

describe("The doctor's check of the clock", () => {
  it("passes when the server's time lies between question and answer, or within two seconds of them", () => {
    for (const server of [100_000, 103_000, 105_000, 98_000, 107_000]) {
      expect(checkClock(server, [100_000, 105_000]).status).toBe('ok');
    }
  });

  it('warns by how much the clock is ahead or behind otherwise', () => {
    expect(checkClock(97_900, [100_000, 105_000]).found).toContain('2.1 s behind');
    expect(checkClock(165_000, [100_000, 105_000]).found).toContain('60 s ahead');
    expect(checkClock(165_000, [100_000, 105_000]).status).toBe('warn');
  });

  it('warns of a file with a time to come', async () => {
    const file = join(makeFolder(), 'petstore.sqlite');
    writeFileSync(file, '');
    const inAnHour = new Date(Date.now() + 3_600_000);
    utimesSync(file, inAnHour, inAnHour);
    expect(await run(CLOCK, { DATABASE_URL: `sqlite:${file}` })).toMatchObject([{ status: 'warn' }]);
  });
});

describe("The doctor's check of a server", () => {
  const server = {
    clockMs: 0,
    askedMs: [0, 0],
    mostConnections: 97,
    openConnections: 96,
    isStandby: false,
    refusal: undefined,
  } as const;

  it('finds nothing when the server takes writes and one more connection', () => {
    expect(checkServer(server, 97)).toEqual([]);
  });

  it.each<[string, Partial<ServerFacts['server']>, number, string, RegExp]>([
    ['a standby', { isStandby: true }, 10, 'fail', /DATABASE_URL/],
    ['a server that refuses changes', { refusal: 'Refused.' }, 10, 'fail', /default_transaction_read_only/],
    ['a pool of more connections than the server allows', {}, 98, 'warn', /DATABASE_POOL_SIZE/],
    ['a server without a free connection', { openConnections: 97 }, 10, 'warn', /pg_stat_activity/],
  ])('finds %s', (_title, change, poolSize, status, advice) => {
    expect(checkServer({ ...server, ...change }, poolSize)).toEqual([
      { status, found: expect.any(String) as unknown, advice: expect.stringMatching(advice) as unknown },
    ]);
  });
});

describe("The doctor's check of open files", () => {
  it.each([
    [4_095, 'warn'],
    [4_096, 'ok'],
    ['unlimited', 'ok'],
  ])('finds a limit of %s to be: %s', (limit, status) => {
    expect(checkLimit(limit)).toMatchObject({ status, found: expect.stringContaining(String(limit)) });
  });
});

describe("The doctor's check of the integrity", () => {
  it('warns of a database that cannot be checked in time', async () => {
    const file = join(makeFolder(), 'petstore.sqlite');
    expect(await run(integrityCheck(false, 1), { DATABASE_URL: `sqlite:${file}` })).toMatchObject([
      { status: 'warn', advice: expect.stringContaining('petstore db check') },
    ]);
  });
});

describe("The doctor's check of replicas", () => {
  const fault = 'It cannot be reached.';
  const statuses = (...facts: { behindBytes?: number; fault?: string }[]) =>
    checkReplicas(facts.map((each, i) => ({ name: `replica-${i + 1}`, ...each }))).map(
      ({ status }) => status,
    );

  it('warns of one that is far behind the primary', () => {
    expect(statuses({ behindBytes: 16 * MIB }, { behindBytes: 17 * MIB })).toEqual(['ok', 'warn']);
  });

  it('warns of one that serves nothing while another does, and fails when none does', () => {
    expect(statuses({ behindBytes: 0 }, { fault })).toEqual(['ok', 'warn']);
    expect(statuses({ fault }, { fault })).toEqual(['fail', 'fail']);
  });
});
