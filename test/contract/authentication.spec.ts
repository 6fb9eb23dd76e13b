import { ApiKeysService } from '../../src/auth/api-keys.service';
import { createToken } from '../../src/platform/security/api-key-token';
import { describeOneEngine } from '../support/databases/databases';
import { setDate } from '../support/fake-only';
import { ask, creation } from './support/request';
import { expectRefused, itRefuses } from './support/rows';
import { useService } from './support/service';

const CHALLENGE = 'Bearer realm="petstore"';
const INVALID =
  'Bearer realm="petstore", error="invalid_token", error_description="The API key is not valid"';
const REFUSED = { status: 401, code: 'invalid_api_key', fields: { 'WWW-Authenticate': INVALID } };

describeOneEngine('An API key', (engine) => {
  const service = useService(engine);
  const keys = () => service().app.get(ApiKeysService);
  afterEach(() => jest.useRealTimers());

  it('is refused with 401 invalid_api_key when it was never made', async () => {
    const token = createToken();
    await expectRefused(service(), { ...REFUSED, request: { key: token }, offending: [token] });
    await expectRefused(service(), { ...REFUSED, request: { key: token } });
  });

  it('is refused at once when it is revoked', async () => {
    const { key, token } = await keys().create({ name: 'brief', scopes: ['pets:read'] });
    expect(await ask(service(), { key: token })).toMatchObject({ status: 200 });
    await keys().revoke(key.id);
    await expectRefused(service(), { ...REFUSED, request: { key: token } });
  });

  it('is refused at once while it is disabled, and works again when it is enabled', async () => {
    const { key, token } = await keys().create({ name: 'brief', scopes: ['pets:read'] });
    expect(await ask(service(), { key: token })).toMatchObject({ status: 200 });
    await keys().disable(key.id);
    await expectRefused(service(), { ...REFUSED, request: { key: token } });
    await keys().enable(key.id);
    expect(await ask(service(), { key: token })).toMatchObject({ status: 200 });
  });

  it('is refused once it has expired, though it was used before', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const { token } = await keys().create({ name: 'brief', scopes: ['pets:read'], expiresAt });
    expect(await ask(service(), { key: token })).toMatchObject({ status: 200 });
    setDate(expiresAt);
    await expectRefused(service(), { ...REFUSED, request: { key: token } });
  });

  it.each(['/v1/pets', '/v1/pets/1', 'POST /v1/pets'])(
    'is refused with 403 address_not_allowed from outside of its networks: %s',
    async (line) => {
      const { token } = await keys().create({
        name: 'till',
        scopes: ['pets:read', 'pets:write'],
        networks: ['192.0.2.0/24'],
      });
      const [target = '', method = 'GET'] = line.split(' ').reverse();
      const request = { target, method, key: token };
      await expectRefused(service(), { request, status: 403, code: 'address_not_allowed' });
    },
  );

  it('is refused with 403 insufficient_scope when it may only read and the operation writes', async () => {
    const key = await service().keyWith('pets:read');
    expect(await ask(service(), { key })).toMatchObject({ status: 200 });
    await expectRefused(service(), {
      request: creation('{"name":"Rex","categoryId":1}', { key }),
      status: 403,
      code: 'insufficient_scope',
      fields: { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="pets:write"` },
    });
    expect(await ask(service(), {})).toMatchObject({ status: 200, body: '[]' });
  });

  it('is refused with 403 insufficient_scope when it may only write and the operation reads', async () => {
    const key = await service().keyWith('pets:write');
    for (const [method, target] of [
      ['GET', '/v1/pets'],
      ['HEAD', '/v1/pets'],
      ['GET', '/v1/pets/1'],
    ] as const) {
      await expectRefused(service(), {
        request: { method, target, key },
        status: 403,
        code: 'insufficient_scope',
        fields: { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="pets:read"` },
      });
    }
  });
});

describe('The service with the header field Authorization', () => {
  const service = useService('sqlite');
  const token = createToken();

  itRefuses(
    service,
    [
      ['no field', {}],
      ['an empty value', { Authorization: '' }],
      ['another scheme', { Authorization: 'Basic cGV0OnN0b3Jl' }],
      ['Bearer alone', { Authorization: 'Bearer' }],
      ['Bearer and spaces', { Authorization: 'Bearer   ' }],
      ['a key without a scheme', { Authorization: token }],
      ['a scheme that begins with Bearer', { Authorization: `Bearers ${token}` }],
      ['a tab before the key', { Authorization: `Bearer\t${token}` }],
    ].map(([of, headers]) => ({
      of: of as string,
      request: { key: null, headers: headers as Record<string, string> },
      status: 401,
      code: 'unauthorized',
      fields: { 'WWW-Authenticate': CHALLENGE },
      offending: [token, 'cGV0OnN0b3Jl'],
    })),
  );

  const malformed = [
    'x',
    `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
    `${token} ${token}`,
    `petk_${'9'.repeat(7_000)}`,
    'pëtk_ü',
  ];
  itRefuses(
    service,
    malformed.map((key, index) => ({
      of: `malformed key ${index + 1}`,
      request: { key },
      ...REFUSED,
      ...(key.length > 1 && { offending: [key] }),
    })),
  );

  it('sends the same response whatever is wrong with the key', async () => {
    const bodies = new Set<string>();
    for (const key of [...malformed, createToken()]) bodies.add((await ask(service(), { key })).body);
    expect([...bodies]).toEqual([expect.stringContaining('"The API key is not valid."')]);
  });

  it('refuses two of them with 400 invalid_request, even with the same valid key', async () => {
    const good = `Bearer ${service().key}`;
    for (const Authorization of [
      [good, good],
      [good, ''],
      ['', good],
      ['Basic eA==', good],
    ]) {
      await expectRefused(service(), {
        request: { headers: { Authorization } },
        status: 400,
        code: 'invalid_request',
        names: ['Authorization'],
      });
    }
  });

  it.each(['bearer', 'BEARER', 'bEaReR'])('accepts the scheme %s', async (scheme) => {
    const headers = { Authorization: `${scheme} ${service().key}` };
    expect(await ask(service(), { headers })).toMatchObject({ status: 200 });
  });

  it('accepts several spaces before the key', async () => {
    const headers = { authorization: `Bearer    ${service().key}` };
    expect(await ask(service(), { headers })).toMatchObject({ status: 200 });
  });
});
