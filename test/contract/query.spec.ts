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
    [['0'], ['101', '101'], ['1e1', '1e1'], ['']].map(([value, ...offending]) =>
      invalid('invalid_parameter', `/v1/pets?limit=${value}`, ['limit', ' 1 ', ' 100'], ...offending),
    ),
  );

  it.each(['1', '100'])('accepts %s', async (limit) => {
    expect(await ask(service(), { target: `/v1/pets?limit=${limit}` })).toMatchObject({ status: 200 });
  });
});

describe('The service with the parameter status', () => {
  itRefuses(
    service,
    [[''], ['lost', 'lost']].map(([value, ...offending]) =>
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
    invalid('invalid_parameter', '/v1/pets?cursor=a&cursor=a', ['cursor']),
    invalid('invalid_parameter', '/v1/pets?status=sold&status=sold', ['status']),
  ]);

  itRefuses(service, [
    invalid('unknown_parameter', '/v1/pets?page=2', ['page']),
    invalid('unknown_parameter', '/v1/pets?limit%5B%5D=5', ['limit[]']),
    invalid('unknown_parameter', '/v1/pets?__proto__=1', ['__proto__']),
    invalid('unknown_parameter', '/v1/pets?=1', []),
  ]);

  itRefuses(
    service,
    ['page=2', 'limit=5', 'no-such-parameter=1'].flatMap((query) => [
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

  it.each(['', '?', '?&&limit=5&'])('serves a list without parameters: /v1/pets%s', async (query) => {
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
      '9223372036854775807',
      '-9223372036854775808',
      '9223372036854775808',
      '01',
      '%00',
      '1%2F',
      '..',
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
