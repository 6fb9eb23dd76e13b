import { describeEachEngine } from '../support/databases/databases';
import { incompressible } from '../support/samples/long-texts';
import { expectNothingGivenAway } from './support/expect-error';
import { ask, creation, field } from './support/request';
import { itRefuses } from './support/rows';
import { useService } from './support/service';

describeEachEngine('A new pet', (engine) => {
  const service = useService(engine);

  it('gets 201 with its Location and the header fields of a private response', async () => {
    const response = await ask(
      service(),
      creation('{"name":"Rex","categoryId":3,"status":"sold"}', { headers: { 'X-Request-Id': 'mine' } }),
    );
    const { id } = JSON.parse(response.body) as { id: number };
    expect([response.status, response.body]).toEqual([
      201,
      `{"id":${id},"name":"Rex","categoryId":3,"status":"sold"}`,
    ]);
    expect(field(response, 'location')).toBe(`/v1/pets/${id}`);
    expect(field(response, 'content-type')).toBe('application/json; charset=utf-8');
    expect(field(response, 'content-length')).toBe(String(response.body.length));
    expect(field(response, 'cache-control')).toBe('no-store');
    expect(field(response, 'x-content-type-options')).toBe('nosniff');
    expect(field(response, 'x-request-id')).toBe('mine');
    expectNothingGivenAway(response);
    expect(await ask(service(), { target: `/v1/pets/${id}` })).toMatchObject({ body: response.body });
  });

  /** What the service responds with for a body, at creation and when the pet is fetched, without its id. */
  async function stored(body: string): Promise<string> {
    const created = await ask(service(), creation(body));
    expect(created.status).toBe(201);
    const fetched = await ask(service(), { target: field(created, 'location') });
    expect(fetched.body).toBe(created.body);
    return created.body.replace(/^\{"id":\d+,/, '{');
  }

  it.each([
    ['-0', '0'],
    ['1.5e1', '15'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807.0', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
  ])('keeps the categoryId %s exactly', async (sent, kept) => {
    expect(await stored(`{"name":"Rex","categoryId":${sent}}`)).toBe(`{"name":"Rex","categoryId":${kept}}`);
  });

  it.each(['', 'Żółw 🐢 \u{10FFFF}', '\u0001\u001f\u007f\u0085\u2028\ufeff', '"\\/\b\f\n\r\t', 'é vs é'])(
    'keeps the name %j exactly',
    async (name) => {
      expect(JSON.parse(await stored(JSON.stringify({ name, categoryId: 1 })))).toEqual({
        name,
        categoryId: 1,
      });
    },
  );

  it.each([2_800, 8_200, 100_000])(
    'keeps a name of %i bytes that cannot be compressed, and shows it in lists',
    async (bytes) => {
      const name = incompressible(bytes);
      const body = JSON.stringify({ name, categoryId: 1 });
      expect(await stored(body)).toBe(body);
      expect((await ask(service(), { target: '/v1/pets?limit=100' })).body).toContain(name);
    },
  );

  it('has no status when none was given', async () => {
    expect(await stored('{"name":"Rex","categoryId":1}')).toBe('{"name":"Rex","categoryId":1}');
  });

  it('ignores unknown members, including id', async () => {
    const ignored =
      '"id":"x","ID":7,"Name":1e400,"owner":{"name":null},"__proto__":{"status":"sold"},"constructor":1,"toString":[],"x":"\\ud800","y":"\\u0000"';
    expect(await stored(`{${ignored},"name":"Rex","categoryId":1}`)).toBe('{"name":"Rex","categoryId":1}');
  });
});

describe('The service with an invalid field of a new pet', () => {
  const service = useService('sqlite');

  function invalid(name: string, of: string, body: string, ...offending: string[]) {
    return {
      of,
      request: creation(body),
      status: 400,
      code: 'invalid_field',
      names: [name],
      offending,
    };
  }

  itRefuses(service, [
    invalid('name is required.', 'no name', '{"categoryId":1}'),
    ...['null', '1', '{"a":[1,{}]}'].map((value) =>
      invalid('name', `the name ${value}`, `{"name":${value},"categoryId":1}`),
    ),
    invalid('name', 'U+0000 in a name', '{"name":"secret\\u0000","categoryId":1}', 'secret'),
    invalid('name', 'a high surrogate alone', '{"name":"secret\\ud83d","categoryId":1}', 'secret'),
    invalid('name', 'a name only inherited', '{"__proto__":{"name":"Rex"},"categoryId":1}', 'Rex'),
  ]);

  itRefuses(service, [
    invalid('categoryId is required.', 'no categoryId', '{"name":"Rex"}'),
    ...['null', '"1"', '9007199254740992.5', '1e-400', '9223372036854775808', '1e999999999'].map((value) =>
      invalid(
        'categoryId',
        `the categoryId ${value}`,
        `{"name":"Rex","categoryId":${value}}`,
        ...(/^[\d.]{10}/.test(value) && !value.startsWith('922') ? [value] : []),
      ),
    ),
  ]);

  itRefuses(
    service,
    ['null', '""', '"lost"', '["sold"]'].map((value) =>
      invalid(
        'status',
        `the status ${value}`,
        `{"name":"Rex","categoryId":1,"status":${value}}`,
        ...(value === '"lost"' ? ['lost'] : []),
      ),
    ),
  );

  it('stores nothing of a refused pet', async () => {
    expect(await ask(service(), {})).toMatchObject({ status: 200, body: '[]' });
  });
});
