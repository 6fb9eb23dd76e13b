import { Client } from 'pg';
import { CHECK_MS } from '../../../src/admin/console/sessions/person-sessions.service';
import { ConsoleClient } from '../../support/service/console';
import { oidcEnvironment, ProviderVisit, startProvider, type TestProvider } from './support/oidc-provider';
import { createTestDatabase, type TestDatabase } from '../../support/databases/databases';
import { makeFolder } from '../../support/folders';
import { freePort } from '../../support/processes/free-port';
import { endServiceProcesses, ServiceProcess } from '../../support/processes/service-process';
import { until } from '../../support/until';

/** How long a session that the provider has ended may still be open on another node, in milliseconds. */
const ENDED_WITHIN_MS = 5_000;

describe('A person who is signed in by OIDC, on two nodes behind one address', () => {
  let database: TestDatabase;
  let provider: TestProvider;
  let nodePort: number;
  let otherPort: number;
  let browser: ConsoleClient;
  let elsewhere: ConsoleClient;
  let visit: ProviderVisit;

  beforeAll(async () => {
    nodePort = await freePort('127.0.0.1');
    [database, provider] = await Promise.all([createTestDatabase('postgres'), startProvider(nodePort)]);
    const environment = {
      ...oidcEnvironment(provider.issuer, nodePort),
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
    };
    await ServiceProcess.start(environment, { cwd: makeFolder() });
    const other = await ServiceProcess.start({ ...environment, MANAGEMENT_PORT: '0' }, { cwd: makeFolder() });
    otherPort = Number(new URL(other.managementUrl).port);
  });
  afterAll(async () => {
    await provider.stop();
    await endServiceProcesses();
    await database.drop();
  });

  beforeEach(async () => {
    provider.accounts.set('248289', { name: 'Ana Lima', groups: ['admins'] });
    provider.visitor = '248289';
    browser = new ConsoleClient(nodePort);
    visit = new ProviderVisit(provider);
    const { location = '' } = await browser.get('/admin/sign-in/oidc');
    const { pathname, search } = await visit.follow(location);
    await browser.get(pathname + search);
    // The balancer leads some requests of the same browser to the other node.
    elsewhere = new ConsoleClient(otherPort);
    elsewhere.headers = { Host: `127.0.0.1:${nodePort}` };
    for (const cookie of browser.cookies) elsewhere.cookies.set(...cookie);
  });

  it('is signed in on both nodes, and signed out of both within five seconds of a sign-out at the provider', async () => {
    expect((await browser.get('/admin/sessions')).status).toBe(200);
    expect((await elsewhere.get('/admin/sessions')).html).toContain('Ana Lima');
    await visit.signOut();
    await until(async () => (await elsewhere.get('/admin')).location === '/admin/sign-in', ENDED_WITHIN_MS);
    expect((await browser.get('/admin')).location).toBe('/admin/sign-in');
  });

  it('loses the rights of a group on both nodes within two minutes, and the session with the last group', async () => {
    provider.accounts.set('248289', { name: 'Ana Lima', groups: ['support'] });
    await letPass(CHECK_MS);
    expect((await elsewhere.get('/admin/keys/new')).status).toBe(403);
    expect((await browser.get('/admin/keys/new')).status).toBe(403);
    provider.accounts.set('248289', { name: 'Ana Lima', groups: [] });
    await letPass(CHECK_MS);
    expect((await browser.get('/admin')).location).toBe('/admin/sign-in');
    expect((await elsewhere.get('/admin')).location).toBe('/admin/sign-in');
  });

  it('is refreshed once at the provider, even when both nodes have requests at the same time', async () => {
    await letPass(CHECK_MS);
    const before = provider.tokenRequests;
    const pages = await Promise.all(
      [browser, elsewhere, browser, elsewhere].map((client) => client.get('/admin/keys')),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(provider.tokenRequests).toBe(before + 1);
  });

  /** Makes the session so much older than it is. */
  async function letPass(milliseconds: number): Promise<void> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const earlier = (column: string) => `${column} = ${column} - make_interval(secs => $1)`;
    const columns = ['checked_at', 'check_begun_at', 'created_at'].map(earlier).join(', ');
    await client.query(`UPDATE admin_sessions SET ${columns}`, [milliseconds / 1_000]);
    await client.end();
  }
});
