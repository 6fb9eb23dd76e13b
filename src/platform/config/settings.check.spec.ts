import { loadSettings } from './load-settings';
import { doubtsAbout, isLoopback } from './settings.check';

const POSTGRES = 'postgres://petstore@db/petstore';

describe("The doctor's check of the settings", () => {
  const doubts = (environment: Record<string, string>) =>
    doubtsAbout(loadSettings(environment)).map(({ reason }) => reason);

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
