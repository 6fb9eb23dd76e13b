import { createToken } from '../../src/platform/security/api-key-token';
import { operationsOf, servedDocument } from '../support/service/served-document';
import { expectRefused } from './support/rows';
import { ask, field } from './support/request';
import { useService } from './support/service';

const target = '/docs/key';

describe('What the docs say about the key of their reader', () => {
  const service = useService('sqlite', { RATE_LIMIT_PER_MINUTE: '2' });

  it('is its scopes and its limit, and is not kept by a cache', async () => {
    const key = await service().keyWith('pets:read');
    const response = await ask(service(), { target, key });
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body)).toEqual({ scopes: ['pets:read'], requestsPerMinute: 2 });
    expect(field(response, 'cache-control')).toBe('no-store');
    expect(field(response, 'content-type')).toBe('application/json; charset=utf-8');
  });

  it('takes none of the requests that the key may make', async () => {
    const key = await service().keyWith('pets:read');
    for (const request of [target, target, target, '/v1/pets', '/v1/pets']) {
      expect(await ask(service(), { target: request, key })).toMatchObject({ status: 200 });
    }
    expect(await ask(service(), { key })).toMatchObject({ status: 429 });
  });

  it('is refused to others as by every operation', async () => {
    const refusals = [
      { key: null, code: 'unauthorized' },
      { key: createToken(), code: 'invalid_api_key' },
    ];
    for (const { key, code } of refusals) {
      const response = await expectRefused(service(), { request: { target, key }, status: 401, code });
      expect(field(response, 'www-authenticate')).toContain('Bearer realm="petstore"');
    }
  });

  it('is no operation of the document', async () => {
    const paths = operationsOf(await servedDocument(service())).map(({ path }) => path);
    expect(paths.filter((path) => path.includes('key'))).toEqual([]);
  });
});
