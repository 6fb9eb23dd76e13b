import {
  FAILED_SIGN_INS_PER_MINUTE,
  RECORDED_REFUSALS_PER_MINUTE,
} from '../../../src/admin/console/sessions/sign-in-limit';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { createToken } from '../../../src/platform/security/api-key-token';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { startTestService } from '../../support/service/service';
import { type ConsoleResponse, openConsole } from '../../support/service/console';
import { codesIn } from './support/said';

const header = ({ raw }: ConsoleResponse, name: string) => raw.headers.get(name)?.join();

describe('Failed sign-ins', () => {
  it('are limited per address, and not recorded beyond the limit', async () => {
    const limited = await startTestService('sqlite');
    try {
      const client = await openConsole(limited);
      const attempts = FAILED_SIGN_INS_PER_MINUTE + 5;
      const responses = await Promise.all(
        Array.from({ length: attempts }, () => client.post('/admin/sign-in', { key: createToken() })),
      );
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([
        ...Array.from({ length: FAILED_SIGN_INS_PER_MINUTE }, () => 401),
        ...Array.from({ length: 5 }, () => 429),
      ]);
      const refused = responses.find(({ status }) => status === 429) as ConsoleResponse;
      expect(Number(header(refused, 'retry-after'))).toBeGreaterThan(0);
      expect(codesIn(refused)).toEqual(['rate_limited']);
      // Not even with a good key: otherwise guessing could go on.
      expect((await client.post('/admin/sign-in', { key: limited.key })).status).toBe(429);
      const events = await limited.app
        .get(AuditLog)
        .list({ action: 'sessions.sign_in_refused' }, { limit: 100 });
      expect(events).toHaveLength(FAILED_SIGN_INS_PER_MINUTE);
    } finally {
      await limited.stop();
    }
  });

  it('do not fill the audit log when they come from many addresses', async () => {
    const flooded = await startTestService('sqlite', { TRUST_PROXY: 'loopback' });
    try {
      const client = await openConsole(flooded);
      for (let i = 0; i < RECORDED_REFUSALS_PER_MINUTE + 20; i++) {
        const headers = { 'X-Forwarded-For': `203.0.113.${i}` };
        expect((await client.post('/admin/sign-in', { key: createToken() }, headers)).status).toBe(401);
      }
      const events = await flooded.app
        .get(AuditLog)
        .list({ action: 'sessions.sign_in_refused' }, { limit: 200 });
      expect(events).toHaveLength(RECORDED_REFUSALS_PER_MINUTE);
      expect(events[0]?.address).toBe('203.0.113.59');
    } finally {
      await flooded.stop();
    }
  });

  it.each([
    ['unknown', () => Promise.resolve(createToken())],
    [
      'without the scope',
      async (keys: ApiKeysService) => (await keys.create({ name: 'shop', scopes: ['pets:read'] })).token,
    ],
  ])('are also limited per key, whatever addresses they come from: one %s', async (_, make) => {
    const limited = await startTestService('sqlite', { TRUST_PROXY: 'loopback' });
    try {
      const client = await openConsole(limited);
      const key = await make(limited.app.get(ApiKeysService));
      const statuses = [];
      for (let i = 0; i < FAILED_SIGN_INS_PER_MINUTE + 2; i++) {
        const headers = { 'X-Forwarded-For': `203.0.113.${i}` };
        statuses.push((await client.post('/admin/sign-in', { key }, headers)).status);
      }
      expect(statuses).toEqual([
        ...Array.from({ length: FAILED_SIGN_INS_PER_MINUTE }, () => 401),
        ...[429, 429],
      ]);
      const headers = { 'X-Forwarded-For': '203.0.113.1' };
      expect((await client.post('/admin/sign-in', { key: limited.key }, headers)).status).toBe(303);
      const events = await limited.app
        .get(AuditLog)
        .list({ action: 'sessions.sign_in_refused' }, { limit: 100 });
      expect(events).toHaveLength(FAILED_SIGN_INS_PER_MINUTE);
    } finally {
      await limited.stop();
    }
  });

  it('with a disabled key do not lock it out once it is enabled', async () => {
    const limited = await startTestService('sqlite', { TRUST_PROXY: 'loopback' });
    try {
      const keys = limited.app.get(ApiKeysService);
      const { key, token } = await keys.create({ name: 'back', scopes: ['admin:read'] });
      await keys.disable(key.id);
      const client = await openConsole(limited);
      const signIn = (address: string) =>
        client.post('/admin/sign-in', { key: token }, { 'X-Forwarded-For': address });
      for (let i = 0; i < FAILED_SIGN_INS_PER_MINUTE; i++) await signIn(`203.0.113.${i}`);
      expect((await signIn('198.51.100.1')).status).toBe(429);
      await keys.enable(key.id);
      expect((await signIn('198.51.100.2')).status).toBe(303);
    } finally {
      await limited.stop();
    }
  });

  it('with one refused key count for their address even beyond the limit of the key', async () => {
    const limited = await startTestService('sqlite', { TRUST_PROXY: 'loopback' });
    try {
      const client = await openConsole(limited);
      const signIn = (address: string, key: string) =>
        client.post('/admin/sign-in', { key }, { 'X-Forwarded-For': address });
      const key = createToken();
      for (let i = 0; i < FAILED_SIGN_INS_PER_MINUTE; i++) await signIn(`203.0.113.${i}`, key);
      for (let i = 0; i < FAILED_SIGN_INS_PER_MINUTE; i++) await signIn('198.51.100.3', key);
      expect((await signIn('198.51.100.3', limited.key)).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });
});

describe('The cookie of a session', () => {
  it('is sent over encrypted connections only, except on the same machine', async () => {
    const proxied = await startTestService('sqlite', { TRUST_PROXY: 'loopback' });
    try {
      const cookieFor = async (headers: Record<string, string>) => {
        const client = await openConsole(proxied);
        const response = await client.post('/admin/sign-in', { key: proxied.key }, headers);
        const page = await client.get('/admin/sign-in', headers);
        return [header(response, 'set-cookie'), codesIn(page)] as const;
      };
      const secure = /^__Host-petstore_admin_\d+=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/;
      const [tls, tlsNotes] = await cookieFor({
        'X-Forwarded-For': '203.0.113.7',
        'X-Forwarded-Proto': 'https',
      });
      expect(tls).toMatch(secure);
      expect(tlsNotes).toEqual([]);
      const [plain, plainNotes] = await cookieFor({ 'X-Forwarded-For': '203.0.113.7' });
      expect(plain).toMatch(secure);
      expect(plainNotes).toEqual(['not_encrypted']);
      const [local, localNotes] = await cookieFor({});
      expect(local).toMatch(/^petstore_admin_\d+=[^;]*; Path=\/admin; HttpOnly; SameSite=Strict$/);
      expect(localNotes).toEqual([]);
    } finally {
      await proxied.stop();
    }
  });

  it('is sent over encrypted connections only at the HTTPS address of the console, whatever its proxy says', async () => {
    const service = await startTestService('sqlite', { CONSOLE_ORIGIN: 'https://admin.example.com' });
    try {
      const cookieFor = async (host: string, origin: string) => {
        const client = await openConsole(service);
        client.headers = { Host: host, Origin: origin };
        const notes = codesIn(await client.get('/admin/sign-in'));
        const response = await client.post('/admin/sign-in', { key: service.key });
        expect((await client.get('/admin/sessions')).status).toBe(200);
        return [header(response, 'set-cookie'), notes];
      };
      const secure = expect.stringMatching(
        /^__Host-petstore_admin(_443)?=\S+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      );
      const origin = 'https://admin.example.com';
      for (const host of ['admin.example.com', 'admin.example.com:443', 'Admin.example.com']) {
        const [cookie, notes] = await cookieFor(host, origin);
        expect([host, cookie, notes]).toEqual([host, secure, []]);
      }
      // By a tunnel.
      const [local] = await cookieFor('localhost:43999', 'http://localhost:43999');
      expect(local).toMatch(/^petstore_admin_43999=\S+; Path=\/admin; HttpOnly; SameSite=Strict$/);
    } finally {
      await service.stop();
    }
  });

  it('differs from that of another service on the host, and is the same for all nodes behind an address', async () => {
    const [one, other] = [await startTestService('sqlite'), await startTestService('sqlite')];
    try {
      const [first, second] = [await openConsole(one), await openConsole(other)];
      // A browser sends what a host has set to each of its ports.
      const jar = [first, second].map(({ cookies }) => cookies);
      for (const [client, key] of [
        [first, one.key],
        [second, other.key],
        [first, one.key],
      ] as const) {
        await client.signIn(key);
        for (const cookies of jar) for (const [name, value] of client.cookies) cookies.set(name, value);
      }
      for (const client of [first, second]) expect((await client.get('/admin/sessions')).status).toBe(200);

      const namesFor = async (host: string) => {
        const response = await (
          await openConsole(one)
        ).post('/admin/sign-in', { key: one.key }, { Host: host });
        return header(response, 'set-cookie')?.split('=')[0];
      };
      expect(await namesFor('localhost')).toBe('petstore_admin');
      expect(await namesFor('localhost:8443')).toBe('petstore_admin_8443');
      expect(await namesFor('[::1]')).toBe('petstore_admin');
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });
});

describe('A sign-in behind a proxy', () => {
  it.each([
    { Host: 'localhost:443', Origin: 'https://localhost' },
    { Host: 'localhost:80', Origin: 'http://localhost' },
    { Host: 'Localhost', Origin: 'https://localhost' },
  ])('that sends %j is of the console itself', async (headers) => {
    const service = await startTestService('sqlite');
    try {
      const response = await (
        await openConsole(service)
      ).post('/admin/sign-in', { key: service.key }, headers);
      expect(response.status).toBe(303);
    } finally {
      await service.stop();
    }
  });
});

describe('A link from another site to the console', () => {
  it.each(['cross-site', 'same-site'])('is followed once more, with the cookie: %s', async (site) => {
    const service = await startTestService('sqlite');
    try {
      const client = await openConsole(service, service.key);
      const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' };
      expect((await client.get('/admin/audit', headers)).status).toBe(200);
      client.cookies.clear();
      const arrived = await client.get('/admin/audit', headers);
      expect([arrived.status, header(arrived, 'refresh'), arrived.location]).toEqual([401, '0', undefined]);
      const again = await client.get('/admin/audit', { ...headers, 'Sec-Fetch-Site': 'same-origin' });
      expect([again.status, again.location]).toEqual([303, '/admin/sign-in?return=%2Fadmin%2Faudit']);
    } finally {
      await service.stop();
    }
  });
});
