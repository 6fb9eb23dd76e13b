import { describeOneEngine } from '../support/databases/databases';
import type { RawResponse } from '../support/http/raw-http';
import { expectNothingGivenAway } from './support/expect-error';
import { ask, field } from './support/request';
import { useService } from './support/service';

describeOneEngine('An entity tag', (engine) => {
  const service = useService(engine);
  beforeAll(async () => {
    for (const status of ['sold', 'pending', 'sold']) {
      await service().post('/v1/pets', { name: 'Rex', categoryId: 1, status });
    }
  });

  const TARGETS = ['/v1/pets', '/v1/pets?limit=1&status=sold', '/v1/pets/1'];

  function get(target: string, tags?: string | string[], method = 'GET'): Promise<RawResponse> {
    return ask(service(), { method, target, ...(tags && { headers: { 'If-None-Match': tags } }) });
  }

  async function tagOf(target: string): Promise<string> {
    const tag = field(await get(target), 'etag') as string;
    expect(tag).toMatch(/^"[\w-]+"$/);
    return tag;
  }

  it.each(TARGETS)('is sent with every 200, beside the fields of a private response: %s', async (target) => {
    const response = await get(target);
    expect(response.status).toBe(200);
    expect(field(response, 'etag')).toMatch(/^"[\w-]+"$/);
    expect(field(response, 'cache-control')).toBe('private, no-cache');
    expect(field(response, 'content-type')).toBe('application/json; charset=utf-8');
    expect(field(response, 'content-length')).toBe(String(Buffer.byteLength(response.body)));
    expect(field(response, 'x-content-type-options')).toBe('nosniff');
    expect(field(response, 'x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expectNothingGivenAway(response);
  });

  it('is the same for the same body, and different for another', async () => {
    const tags = await Promise.all([...TARGETS, ...TARGETS, '/v1/pets/2'].map(tagOf));
    expect(new Set(tags).size).toBe(4);
    expect(tags.slice(0, 3)).toEqual(tags.slice(3, 6));
  });

  it.each<[string, (tag: string) => string | string[]]>([
    ['alone', (tag) => tag],
    ['weak', (tag) => `W/${tag}`],
    ['last of several', (tag) => `"x", "y,z",${tag}`],
    ['first of several', (tag) => `${tag} , W/"x"`],
    ['weak among several', (tag) => `"x", W/${tag}, ""`],
    ['in the second of two fields', (tag) => ['"x"', tag]],
    ['named by *', () => '*'],
  ])('gets 304 with the header fields of the 200 when If-None-Match has it %s', async (_how, tagsWith) => {
    for (const target of TARGETS) {
      const tag = await tagOf(target);
      const whole = await get(target);
      for (const method of ['GET', 'HEAD']) {
        const response = await get(target, tagsWith(tag), method);
        expect([response.status, response.body]).toEqual([304, '']);
        for (const name of ['etag', 'cache-control', 'link', 'x-content-type-options', 'deprecation']) {
          expect([name, field(response, name)]).toEqual([name, field(whole, name)]);
        }
        expect(field(response, 'x-request-id')).toMatch(/^[\da-f-]{36}$/);
      }
    }
  });

  it.each<[string, (tag: string) => string]>([
    ['another tag', () => '"x"'],
    ['the tag without its quotation marks', (tag) => tag.slice(1, -1)],
    ['the tag in another case', (tag) => tag.toUpperCase().replace(/^"/, '"a')],
    ['the tag within a longer one', (tag) => `"x${tag.slice(1)}`],
    ['nothing', () => ''],
    ['a quoted star', () => '"*"'],
    ['noise', () => '""" , W/ "'],
  ])('gets 200 when If-None-Match has %s', async (_what, tagsWith) => {
    for (const target of TARGETS) {
      expect(await get(target, tagsWith(await tagOf(target)))).toMatchObject({ status: 200 });
    }
  });

  it('changes when a pet is added to the list', async () => {
    const tag = await tagOf('/v1/pets');
    await service().post('/v1/pets', { name: 'Tom', categoryId: 1 });
    const response = await get('/v1/pets', tag);
    expect(response.status).toBe(200);
    expect(field(response, 'etag')).not.toBe(tag);
  });

  it('is not sent with an error, and never turns one into 304', async () => {
    const response = await get('/v1/pets/99', '*');
    expect(response.status).toBe(404);
    expect(field(response, 'etag')).toBeUndefined();
  });
});
