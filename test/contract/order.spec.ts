import { createToken } from '../../src/platform/security/api-key-token';
import { ask, creation, type WireRequest } from './support/request';
import { expectRefused } from './support/rows';
import { useService } from './support/service';

/** One fault, and how the answer names it. */
interface Fault {
  readonly of: string;
  readonly status: number;
  readonly code: string;
  readonly apply: (request: WireRequest) => WireRequest;
}

const header =
  (name: string, value: string) =>
  (request: WireRequest): WireRequest => ({ ...request, headers: { ...request.headers, [name]: value } });

const query =
  (text: string) =>
  (request: WireRequest): WireRequest => {
    const { target = '/v1/pets' } = request;
    return { ...request, target: `${target}${target.includes('?') ? '&' : '?'}${text}` };
  };

const body =
  (text: string) =>
  (request: WireRequest): WireRequest => ({ ...request, body: text });

let readOnlyKey = '';

const EXPECTATION: Fault = {
  of: 'expectation',
  status: 417,
  code: 'expectation_failed',
  apply: header('Expect', 'x'),
};
const LENGTH: Fault = {
  of: 'long target',
  status: 414,
  code: 'uri_too_long',
  apply: query('a'.repeat(8_000)),
};
const PATH_ENCODING: Fault = {
  of: 'path encoding',
  status: 400,
  code: 'invalid_path',
  apply: (request) => ({ ...request, target: (request.target ?? '/v1/pets').replace('/v1', '/v1%ff') }),
};
const ROUTE: Fault = {
  of: 'unknown path',
  status: 404,
  code: 'not_found',
  apply: (request) => ({ ...request, target: (request.target ?? '/v1/pets').replace('pets', 'pats') }),
};
const METHOD: Fault = {
  of: 'method',
  status: 405,
  code: 'method_not_allowed',
  apply: (request) => ({ ...request, method: 'DELETE' }),
};
const NO_KEY: Fault = {
  of: 'no key',
  status: 401,
  code: 'unauthorized',
  apply: (request) => ({ ...request, key: null }),
};
const UNKNOWN_KEY: Fault = {
  of: 'unknown key',
  status: 401,
  code: 'invalid_api_key',
  apply: (request) => ({ ...request, key: createToken() }),
};
const SCOPE: Fault = {
  of: 'scope',
  status: 403,
  code: 'insufficient_scope',
  // A request that has lost its key altogether does not get one back.
  apply: (request) => ({ ...request, key: request.key === undefined ? readOnlyKey : request.key }),
};
const ACCEPT: Fault = {
  of: 'Accept',
  status: 406,
  code: 'not_acceptable',
  apply: header('Accept', 'text/html'),
};
const TYPE: Fault = {
  of: 'type',
  status: 415,
  code: 'unsupported_media_type',
  apply: header('Content-Type', 'text/plain'),
};
const SIZE: Fault = {
  of: 'size',
  status: 413,
  code: 'payload_too_large',
  apply: header('Content-Length', '200000'),
};
const JSON_TEXT: Fault = { of: 'JSON', status: 400, code: 'invalid_json', apply: body('{"name":"Rex"') };
const PARAMETER: Fault = { of: 'parameter', status: 400, code: 'unknown_parameter', apply: query('page=2') };
const TOP_LEVEL: Fault = { of: 'array', status: 400, code: 'invalid_body', apply: body('[]') };
const FIELD: Fault = { of: 'field', status: 400, code: 'invalid_field', apply: body('{"name":"Rex"}') };

/** The order of judgement for a request with a body. Faults of one place of the message are in one list. */
const BODY_ORDER: readonly (readonly Fault[])[] = [
  [EXPECTATION],
  [LENGTH],
  [PATH_ENCODING],
  [ROUTE],
  [METHOD],
  [NO_KEY, UNKNOWN_KEY],
  [SCOPE],
  [ACCEPT],
  [TYPE],
  [SIZE],
  [JSON_TEXT],
  [PARAMETER],
  [TOP_LEVEL, FIELD],
];

const BAD_LIMIT: Fault = { of: 'limit', status: 400, code: 'invalid_parameter', apply: query('limit=0') };
const BAD_CURSOR: Fault = { of: 'cursor', status: 400, code: 'invalid_cursor', apply: query('cursor=x') };
const MATCHING: Fault = { of: 'If-None-Match', status: 304, code: '', apply: header('If-None-Match', '*') };

/** The same for a list. The parameters are judged one by one, the cursor against what the others say. */
const LIST_ORDER: readonly (readonly Fault[])[] = [
  [EXPECTATION],
  [LENGTH],
  [ROUTE],
  [METHOD],
  [NO_KEY, UNKNOWN_KEY],
  [ACCEPT],
  [PARAMETER],
  [BAD_LIMIT],
  [BAD_CURSOR],
  [MATCHING],
];

const UNKNOWN_PET: Fault = {
  of: 'unknown pet',
  status: 404,
  code: 'pet_not_found',
  apply: (request) => ({ ...request, target: (request.target ?? '').replace('/1', '/x') }),
};

/** The same for one pet. */
const PET_ORDER: readonly (readonly Fault[])[] = [
  [EXPECTATION],
  [LENGTH],
  [METHOD],
  [NO_KEY, UNKNOWN_KEY],
  [ACCEPT],
  [PARAMETER],
  [UNKNOWN_PET],
  [MATCHING],
];

/** Every pair of faults that can stand in one request: the first of the two is the one answered. */
function pairs(order: readonly (readonly Fault[])[]): { first: Fault; second: Fault; title: string }[] {
  return order.flatMap((places, index) =>
    places.flatMap((first) =>
      order
        .slice(index + 1)
        .flat()
        .map((second) => ({ first, second, title: `${first.of} before ${second.of}: ${first.status}` })),
    ),
  );
}

/** A body has one text. */
function canStandTogether({ first, second }: { first: Fault; second: Fault }): boolean {
  const texts = [JSON_TEXT, TOP_LEVEL, FIELD];
  return !texts.includes(first) || !texts.includes(second);
}

describe('The order of judgement', () => {
  const service = useService('sqlite');
  beforeAll(async () => {
    readOnlyKey = await service().keyWith('pets:read');
    await service().post('/v1/pets', { name: 'Rex', categoryId: 1 });
  });

  async function expectFirst(start: WireRequest, first: Fault, second: Fault): Promise<void> {
    for (const request of [second.apply(first.apply(start)), first.apply(second.apply(start))]) {
      await expectRefused(service(), { request, status: first.status, code: first.code });
    }
  }

  describe('of createPet is', () => {
    const start = creation('{"name":"Rex","categoryId":1}');

    it.each(pairs(BODY_ORDER).filter(canStandTogether))('$title', ({ first, second }) =>
      expectFirst(start, first, second),
    );

    it('all of them at once: the first', async () => {
      let request = start;
      for (const { apply } of [...BODY_ORDER].reverse().flat()) request = apply(request);
      await expectRefused(service(), { request, ...EXPECTATION });
    });

    it('invalid_json even when name and query are wrong too', async () => {
      const request = creation('{"name":1,', { target: '/v1/pets?page=2' });
      await expectRefused(service(), { request, status: 400, code: 'invalid_json' });
    });
  });

  describe('of listPets is', () => {
    it.each(pairs(LIST_ORDER))('$title', ({ first, second }) => expectFirst({}, first, second));
  });

  describe('of getPet is', () => {
    it.each(pairs(PET_ORDER))('$title', ({ first, second }) =>
      expectFirst({ target: '/v1/pets/1' }, first, second),
    );
  });

  it('never reads the body of a request without a valid key', async () => {
    const headers = { 'Content-Length': '50', Expect: '100-continue' };
    expect(await ask(service(), creation('', { key: null, headers }))).toMatchObject({ status: 401 });
  });

  it('made no pet in all of this', async () => {
    const list = await ask(service(), {});
    expect(JSON.parse(list.body)).toHaveLength(1);
  });
});
