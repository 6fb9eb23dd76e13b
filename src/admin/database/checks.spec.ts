import { chmodSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../test/support/folders';
import type { CheckContext } from '../../platform/cli/cli';
import { loadSettings } from '../../platform/config/load-settings';
import { type Check, type Finding, listOf } from '../../platform/health/check';
import { checkClock, CLOCK } from './clock.check';
import { checkServer } from './database.check';
import { checkSpace, DISK, type Space } from './disk.check';
import { integrityCheck } from './integrity.check';
import { checkReplicas } from './replicas.check';
import type { ServerFacts } from './server-facts';

const MIB = 1_048_576;

/** Makes a check on its own, without a database that it could open. */
async function run(
  check: Check<CheckContext>,
  environment: Record<string, string>,
): Promise<readonly Finding[]> {
  const database = () => Promise.resolve({});
  const context = { settings: loadSettings(environment), isDeep: false, database };
  return listOf(await check.check(context as unknown as CheckContext));
}

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
    checkSpace(disk(change), size).map(({ status, reason }) => `${status} ${reason}`);

  it('passes when a backup fits, even on a file system that does not count files', () => {
    expect([...faultsOf({}), ...faultsOf({ files: 0, ffree: 0 })]).toEqual([]);
  });

  it.each<[Partial<Space>, number, RegExp]>([
    [{ bavail: (512 * MIB) / 4_096 }, MIB, /^degraded 512 MiB are free, and the database has 1 MiB/],
    [{}, 20 * 1_024 * MIB, /^degraded 10 GiB are free, and the database has 20 GiB/],
    [{ bavail: (63 * MIB) / 4_096 }, MIB, /^failed Only 63 MiB are free/],
    [{ bavail: 0 }, MIB, /^failed Only 0 bytes are free/],
    [{ ffree: 0 }, MIB, /^failed The file system has no room for more files/],
    [{ type: 0x6969 }, MIB, /^failed The database is on a network file system/],
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
          status: 'failed',
          reason: expect.stringContaining(join(folder, 'notes')) as unknown,
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
      { status: 'degraded', reason: expect.stringContaining('300 MiB') },
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
        status: 'degraded',
        reason: expect.stringContaining(` ${what} ${file}`),
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
    expect(checkClock(97_900, [100_000, 105_000]).reason).toContain('2.1 s behind');
    expect(checkClock(165_000, [100_000, 105_000]).reason).toContain('60 s ahead');
    expect(checkClock(165_000, [100_000, 105_000]).status).toBe('degraded');
  });

  it('warns of a file with a time to come', async () => {
    const file = join(makeFolder(), 'petstore.sqlite');
    writeFileSync(file, '');
    const inAnHour = new Date(Date.now() + 3_600_000);
    utimesSync(file, inAnHour, inAnHour);
    expect(await run(CLOCK, { DATABASE_URL: `sqlite:${file}` })).toMatchObject([{ status: 'degraded' }]);
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
    ['a standby', { isStandby: true }, 10, 'failed', /DATABASE_URL/],
    ['a server that refuses changes', { refusal: 'Refused.' }, 10, 'failed', /default_transaction_read_only/],
    ['a pool of more connections than the server allows', {}, 98, 'degraded', /DATABASE_POOL_SIZE/],
    ['a server without a free connection', { openConnections: 97 }, 10, 'degraded', /pg_stat_activity/],
  ])('finds %s', (_title, change, poolSize, status, advice) => {
    expect(checkServer({ ...server, ...change }, poolSize)).toEqual([
      { status, reason: expect.any(String) as unknown, advice: expect.stringMatching(advice) as unknown },
    ]);
  });
});

describe("The doctor's check of the integrity", () => {
  it('warns of a database that cannot be checked in time', async () => {
    const file = join(makeFolder(), 'petstore.sqlite');
    expect(await run(integrityCheck(1), { DATABASE_URL: `sqlite:${file}` })).toMatchObject([
      { status: 'degraded', advice: expect.stringContaining('petstore db check') },
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
    expect(statuses({ behindBytes: 16 * MIB }, { behindBytes: 17 * MIB })).toEqual(['ok', 'degraded']);
  });

  it('warns of one that serves nothing while another does, and fails when none does', () => {
    expect(statuses({ behindBytes: 0 }, { fault })).toEqual(['ok', 'degraded']);
    expect(statuses({ fault }, { fault })).toEqual(['failed', 'failed']);
  });
});
