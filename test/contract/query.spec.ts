import { describeEachEngine } from '../support/databases/databases';
import { ask, creation } from './support/request';
import { itRefuses } from './support/rows';
import { useService } from './support/service';

const service = useService('sqlite');

function invalid(code: string, target: string, names: string[], ...offending: string[]) {
  return { of: target.slice(0, 60), request: { target }, status: 400, code, names, offending };
}

describe('The service with the parameter limit', () => {
  itRefuses(
    service,
    [
      ['0'],
      ['101', '101'],
      ['-1', '-1'],
      ['10abc', '10abc'],
      ['1e1', '1e1'],
      ['%2B5'],
      ['+5'],
      ['5.0', '5.0'],
      ['0x10', '0x10'],
      ['05'],
      [''],
      ['%20'],
      ['5%20'],
      ['%0A5'],
      ['5%00'],
      ['-0'],
      ['NaN', 'NaN'],
      ['Infinity', 'Infinity'],
      ['null', 'null'],
      ['1,2', '1,2'],
      ['%D9%A5'],
      ['%zz'],
      ['1_0', '1_0'],
      ['9999999999999999999999', '9999'],
      ['18446744073709551617', '18446'],
    ].map(([value, ...offending]) =>
      invalid('invalid_parameter', `/v1/pets?limit=${value}`, ['limit', ' 1 ', ' 100'], ...offending),
    ),
  );

  it.each(['1', '20', '99', '100', '%31'])('accepts %s', async (limit) => {
    expect(await ask(service(), { target: `/v1/pets?limit=${limit}` })).toMatchObject({ status: 200 });
  });
});

describe('The service with the parameter status', () => {
  itRefuses(
    service,
    [
      [''],
      ['lost', 'lost'],
      ['Sold', 'Sold'],
      ['sold%20'],
      ['sold,pending', 'sold,pending'],
      ['toString', 'toString'],
      ['%00'],
    ].map(([value, ...offending]) =>
      invalid(
        'invalid_parameter',
        `/v1/pets?status=${value}`,
        ['status', 'available', 'pending', 'sold'],
        ...offending,
      ),
    ),
  );
});

describe('The service with query parameters', () => {
  itRefuses(service, [
    invalid('invalid_parameter', '/v1/pets?limit=1&limit=2', ['limit']),
    invalid('invalid_parameter', '/v1/pets?limit=1&limit=1', ['limit']),
    invalid('invalid_parameter', '/v1/pets?limit=1&%6Cimit=1', ['limit']),
    invalid('invalid_parameter', '/v1/pets?status=sold&limit=1&status=sold', ['status']),
    invalid('invalid_parameter', '/v1/pets?cursor=a&cursor=a', ['cursor']),
  ]);

  const unknown: [string, string[]][] = [
    ['page=2', ['page']],
    ['limit[]=5', ['limit[]']],
    ['limit%5B%5D=5', ['limit[]']],
    ['__proto__=1', ['__proto__']],
    ['constructor=1', ['constructor']],
    ['toString=1', ['toString']],
    ['Limit=5', ['Limit']],
    ['limit%20=5', []],
    ['=1', []],
    ['limit', []],
    ['x', ['x']],
    ['%F0%9F%90%B6=1', []],
    ['%ff=1', []],
    ['%=1', []],
    ['limit;status=1', []],
    [`${'n'.repeat(100)}=1`, []],
    ['limit=5&page=2', ['page']],
  ];
  // A name without "=" has an empty value: `limit` is then known and invalid.
  const expectations = unknown.map(([query, names]) => ({
    query,
    names,
    code: query === 'limit' ? 'invalid_parameter' : 'unknown_parameter',
  }));

  itRefuses(
    service,
    expectations.map(({ query, names, code }) => invalid(code, `/v1/pets?${query}`, names)),
  );

  itRefuses(
    service,
    ['page=2', 'limit=5', 'status=sold', '__proto__=1', 'cursor=a'].flatMap((query) => [
      {
        of: `${query} of getPet`,
        request: { target: `/v1/pets/1?${query}` },
        status: 400,
        code: 'unknown_parameter',
        names: [query.split('=')[0] as string],
      },
      {
        of: `${query} of createPet`,
        request: creation('{"name":"Rex","categoryId":1}', { target: `/v1/pets?${query}` }),
        status: 400,
        code: 'unknown_parameter',
        names: [query.split('=')[0] as string],
      },
    ]),
  );

  it('makes no pet when a parameter is unknown', async () => {
    expect(await ask(service(), {})).toMatchObject({ status: 200, body: '[]' });
  });

  it.each(['', '?', '?&', '?&&limit=5&'])('serves a list without parameters: /v1/pets%s', async (query) => {
    expect(await ask(service(), { target: `/v1/pets${query}` })).toMatchObject({ status: 200 });
  });
});

describeEachEngine('The service with the parameter petId', (engine) => {
  const one = useService(engine);
  beforeAll(async () => {
    await one().post('/v1/pets', { name: 'Rex', categoryId: 1 });
  });

  itRefuses(
    one,
    [
      '2',
      '0',
      '-1',
      '-0',
      '9223372036854775807',
      '9223372036854775808',
      '-9223372036854775808',
      '-9223372036854775809',
      '18446744073709551617',
      '1'.repeat(5_000),
      'abc',
      '1.0',
      '+1',
      '01',
      '1e0',
      '0x1',
      '%201',
      '1%20',
      '1%0A',
      '1%00',
      '%00',
      '1;a',
      '1,2',
      '%2F',
      '1%2F',
      '..',
      "1'--",
      '%D9%A1',
      '%F0%9F%90%B6',
      'null',
      'undefined',
      '__proto__',
      ':petId',
      '*',
    ].map((petId) => ({
      of: petId.slice(0, 40),
      request: { target: `/v1/pets/${petId}` },
      status: 404,
      code: 'pet_not_found',
      names: ['petId'],
      offending: petId.length > 6 && !petId.includes('__') ? [petId] : [],
    })),
  );

  it.each(['1', '%31'])('finds the pet %s', async (petId) => {
    expect(await ask(one(), { target: `/v1/pets/${petId}` })).toMatchObject({ status: 200 });
  });
});
