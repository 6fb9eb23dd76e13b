import { startServiceAtProvider, type TestProvider, ProviderVisit } from './support/oidc-provider';
import type { TestService } from '../../support/service/service';
import { openConsole } from '../../support/service/console';

const START = '/admin/sign-in/oidc';

describe('A sign-in by OIDC beside others of the same browser', () => {
  let provider: TestProvider;
  let service: TestService;

  beforeAll(async () => {
    ({ provider, service } = await startServiceAtProvider('sqlite'));
    provider.accounts.set('248289', { name: 'Ana Lima', groups: ['admins'] });
  });
  afterAll(async () => {
    await provider.stop();
    await service.stop();
  });

  it('is bound to nothing that another sign-in of the same browser is bound to', async () => {
    const client = await openConsole(service);
    const bound = [];
    for (let i = 0; i < 2; i++) {
      const { searchParams } = new URL((await client.get(START)).location ?? '');
      bound.push(...['state', 'nonce', 'code_challenge'].map((name) => searchParams.get(name)));
    }
    expect(new Set(bound).size).toBe(6);
  });

  it('is completed in each of the tabs in which it was begun, in any order', async () => {
    const client = await openConsole(service);
    provider.visitor = '248289';
    const tabs: URL[] = [];
    for (const page of ['keys', 'audit', 'jobs']) {
      const { location = '' } = await client.get(`${START}?return=%2Fadmin%2F${page}`);
      // A session of its own: this provider takes one code of each.
      tabs.push(await new ProviderVisit(provider).follow(location));
    }
    const [keys, audit, jobs] = tabs as [URL, URL, URL];
    const reached = [];
    for (const { pathname, search } of [audit, jobs, keys]) {
      const { status, raw } = await client.get(pathname + search);
      reached.push([status, raw.headers.get('refresh')?.[0]]);
    }
    expect(reached).toEqual(['audit', 'jobs', 'keys'].map((page) => [200, `0; url=/admin/${page}`]));
    expect([...client.cookies.keys()].filter((name) => name.startsWith('petstore_sign_in'))).toEqual([]);
  });

  it('keeps its cookie within what browsers keep, however many are begun', async () => {
    const client = await openConsole(service);
    const path = `/admin/keys?${'%'.repeat(600)}`;
    for (let i = 0; i < 10; i++) {
      const { raw } = await client.get(`${START}?return=${encodeURIComponent(path)}`);
      expect(Buffer.byteLength(raw.headers.get('set-cookie')?.[0] ?? '')).toBeLessThanOrEqual(4_096);
    }
  });
});
