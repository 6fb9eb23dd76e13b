import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AuditLog } from '../../platform/audit/audit-log';
import { createToken, hashToken } from '../../platform/security/api-key-token';
import { describeOneEngine } from '../../../test/support/databases/databases';
import { makeFolder } from '../../../test/support/folders';
import { startAnotherNode, startTestService, type TestService } from '../../../test/support/service/service';
import { ApiKeysService } from '../api-keys.service';

const KEY_IDENTIFIER = 'bcb53661c06b4728e59d897fb6165d5c9cda0fd9cdf9d09ead458168deb7518c';
const TYPE = 'petstore_api_key';
const PLACE = 'https://github.com/octocat/Hello-World/blob/1234/foo/bar.txt';

/** Writes public keys to a file, as GitHub serves them. */
function publicKeysFile(key: KeyObject): string {
  const file = join(makeFolder(), 'keys.json');
  const pem = key.export({ type: 'spki', format: 'pem' });
  const publicKeys = [{ key_identifier: KEY_IDENTIFIER, key: pem, is_current: true }];
  writeFileSync(file, JSON.stringify({ public_keys: publicKeys }));
  return file;
}

function p256() {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
}

/** Reports tokens, signed as GitHub signs them, with the changes that a test makes. */
function report(
  service: Pick<TestService, 'managementUrl'>,
  privateKey: KeyObject,
  tokens: unknown,
  { headers = {}, tampered }: { headers?: Record<string, string>; tampered?: string } = {},
): Promise<Response> {
  const body = JSON.stringify(tokens);
  return fetch(`${service.managementUrl}/leak-reports`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'github-public-key-identifier': KEY_IDENTIFIER,
      'github-public-key-signature': sign('sha256', Buffer.from(body), privateKey).toString('base64'),
      ...headers,
    },
    body: tampered ?? body,
  });
}

const reported = (token: string) => ({ token, type: TYPE, url: PLACE, source: 'content' });

describeOneEngine('A report of leaked keys', (engine) => {
  const { privateKey, publicKey } = p256();
  let service: TestService;
  let keys: ApiKeysService;
  beforeAll(async () => {
    service = await startTestService(engine, {
      LEAK_REPORT_PUBLIC_KEYS: publicKeysFile(publicKey),
      RATE_LIMIT_PER_MINUTE: '100',
    });
    keys = service.app.get(ApiKeysService);
  });
  afterAll(() => service.stop());

  const make = () => keys.create({ name: 'leaked', scopes: ['pets:read'] });
  const statusWith = async (token: string) =>
    (await service.fetch('/v1/pets', { headers: { authorization: `Bearer ${token}` } })).status;

  it('disables a key at once, records where it was found, and says which tokens are keys', async () => {
    const { key, token } = await make();
    const unknown = createToken();
    expect(await statusWith(token)).toBe(200);
    const response = await report(service, privateKey, [reported(token), reported(unknown), reported('x')]);
    expect(response.status).toBe(200);
    const feedback = [
      { token_hash: hashToken(token), token_type: TYPE, label: 'true_positive' },
      { token_hash: hashToken(unknown), token_type: TYPE, label: 'false_positive' },
      { token_hash: hashToken('x'), token_type: TYPE, label: 'false_positive' },
    ];
    expect(await response.json()).toEqual(feedback);
    expect(await statusWith(token)).toBe(401);
    const [event] = await service.app.get(AuditLog).list({ action: 'keys.disable' }, { limit: 1 });
    expect(event).toMatchObject({ subjectId: key.id, actor: 'leak-report', address: '127.0.0.1' });
    expect(JSON.parse(event?.after as string)).toMatchObject({
      status: 'disabled',
      foundAt: `content ${PLACE}`,
    });
    expect(service.log()).toContain('A leaked API key was reported and is now disabled.');
    expect(service.log()).not.toContain(token);
  });

  it('disables a key on another node within five seconds', async () => {
    const other = await startAnotherNode(service);
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const { token } = await make();
    const headers = { authorization: `Bearer ${token}` };
    const statusElsewhere = async () => (await fetch(`${other.url}/v1/pets`, { headers })).status;
    expect(await statusElsewhere()).toBe(200);
    await report(service, privateKey, [reported(token)]);
    now += 5_001;
    // The cache reads the time at most once a millisecond.
    await pause(2);
    expect(await statusElsewhere()).toBe(401);
    jest.restoreAllMocks();
    await other.stop();
  });

  it('changes nothing about a key that no longer works, and still confirms that it is a key', async () => {
    const { key, token } = await make();
    await keys.revoke(key.id);
    const response = await report(service, privateKey, [reported(token), reported(token)]);
    expect(await response.json()).toMatchObject([{ label: 'true_positive' }, { label: 'true_positive' }]);
    expect(await keys.show(key.id)).toMatchObject({ status: 'revoked', disabledAt: null });
  });

  it('is carried out once: sent again, it leaves alone a key that an operator has enabled', async () => {
    const { key, token } = await make();
    const other = await make();
    await keys.disable(other.key.id, { evenLast: true });
    const tokens = [reported(token), reported(other.token)];
    expect((await report(service, privateKey, tokens)).status).toBe(200);
    expect(await keys.show(key.id)).toMatchObject({ status: 'disabled' });
    for (const { id } of [key, other.key]) await keys.enable(id);
    const elsewhere = await startAnotherNode(service, { LEAK_REPORT_PUBLIC_KEYS: publicKeysFile(publicKey) });
    // Each is signed anew: whoever has captured one can change the signature, but not the text.
    for (const node of [service, service, elsewhere]) {
      const again = await report(node, privateKey, tokens);
      expect(again.status).toBe(200);
      expect(await again.json()).toMatchObject([{ label: 'true_positive' }, { label: 'true_positive' }]);
      for (const { id } of [key, other.key]) expect(await keys.show(id)).toMatchObject({ status: 'active' });
    }
    await elsewhere.stop();
    const events = await service.app
      .get(AuditLog)
      .list({ subjectType: 'keys', subjectId: other.key.id }, { limit: 9 });
    expect(events.map(({ action }) => action)).toEqual([
      'keys.enable',
      'keys.report_leak',
      'keys.disable',
      'keys.create',
    ]);
    await report(service, privateKey, [{ ...reported(token), url: `${PLACE}#another` }]);
    expect(await keys.show(key.id)).toMatchObject({ status: 'disabled' });
  });

  it('disables even the last key that may manage keys', async () => {
    const managing = await keys.create({ name: 'managing', scopes: ['admin:read', 'admin:keys'] });
    for (const { id, status } of await keys.list()) {
      if (id !== managing.key.id && status === 'active') await keys.disable(id, { evenLast: true });
    }
    expect(await keys.isLastManaging(managing.key.id)).toBe(true);
    await report(service, privateKey, [reported(managing.token)]);
    expect(await keys.show(managing.key.id)).toMatchObject({ status: 'disabled' });
    for (const { id, status } of await keys.list()) if (status === 'disabled') await keys.enable(id);
  });

  const tampered = JSON.stringify([reported(createToken())]);
  const bad: [string, Parameters<typeof report>[3]][] = [
    ['of another body', { tampered }],
    ['that is missing', { headers: { 'github-public-key-signature': '' } }],
    ['that is no base64', { headers: { 'github-public-key-signature': '%%%' } }],
    ['that is no DER', { headers: { 'github-public-key-signature': 'AAAA' } }],
    ['of a key that the file does not have', { headers: { 'github-public-key-identifier': 'other' } }],
    ['without the name of its key', { headers: { 'github-public-key-identifier': '' } }],
  ];
  it.each(bad)('is refused with a signature %s, and no token is looked up', async (_which, change) => {
    const { key, token } = await make();
    const response = await report(service, privateKey, [reported(token)], change);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'invalid_signature', status: 401 });
    expect(await keys.show(key.id)).toMatchObject({ status: 'active' });
  });

  it('is refused when it is signed with an unknown key', async () => {
    const response = await report(service, p256().privateKey, [reported(createToken())]);
    expect(response.status).toBe(401);
  });

  it.each<[string, unknown, number, string]>([
    ['no list', { token: 'x' }, 400, 'invalid_body'],
    ['a list of other things', [null], 400, 'invalid_body'],
    ['an entry whose token is no text', [{ token: 1, type: TYPE, url: '', source: '' }], 400, 'invalid_body'],
    ['more than a body may hold', [reported('x'.repeat(110_000))], 413, 'payload_too_large'],
  ])('is refused when its body is %s', async (_which, tokens, status, code) => {
    const response = await report(service, privateKey, tokens);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  });

  it('is taken neither on the public port nor in the OpenAPI document', async () => {
    const response = await fetch(`${service.url}/leak-reports`, { method: 'POST' });
    expect(response.status).toBe(404);
    expect(await (await fetch(`${service.url}/docs/openapi.json`)).text()).not.toContain('leak-reports');
  });
});

describe('Reports of leaked keys', () => {
  it('are refused without the setting LEAK_REPORT_PUBLIC_KEYS', async () => {
    const service = await startTestService('sqlite');
    expect((await report(service, p256().privateKey, [])).status).toBe(404);
    await service.stop();
  });

  it('are limited for each address when they are not signed', async () => {
    const { publicKey } = p256();
    const service = await startTestService('sqlite', {
      LEAK_REPORT_PUBLIC_KEYS: publicKeysFile(publicKey),
      RATE_LIMIT_PER_MINUTE: '2',
    });
    const found = [];
    for (let count = 0; count < 3; count++) {
      found.push((await report(service, p256().privateKey, [])).status);
    }
    expect(found).toEqual([401, 401, 429]);
    await service.stop();
  });

  it('fail when the file holds no public keys, and the log names the file', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
    const file = publicKeysFile(publicKey);
    const service = await startTestService('sqlite', { LEAK_REPORT_PUBLIC_KEYS: file });
    expect((await report(service, p256().privateKey, [])).status).toBe(500);
    expect(service.log()).toContain(`${file} does not hold public keys`);
    await service.stop();
  });
});
