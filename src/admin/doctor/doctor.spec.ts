import { loadSettings } from '../../platform/config/load-settings';
import { checkClock } from './clock.check';
import { checkSpace, type Space } from './disk.check';
import { doubtsAbout, isLoopback } from './settings.check';

const MIB = 1_048_576;
const POSTGRES = 'postgres://petstore@db/petstore';

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
});
