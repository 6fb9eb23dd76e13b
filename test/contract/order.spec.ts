import {
  ACCEPT,
  BAD_CURSOR,
  BAD_LIMIT,
  body,
  EXPECTATION,
  type Fault,
  JSON_TEXT,
  LENGTH,
  MATCHING,
  methodFault,
  NO_KEY,
  type Order,
  PARAMETER,
  path,
  PATH_ENCODING,
  ROUTE,
  scopeFault,
  SIZE,
  TOP_LEVEL,
  TYPE,
  TYPES,
  UNKNOWN_KEY,
} from './support/faults';
import { ask, creation, type WireRequest } from './support/request';
import { expectRefused } from './support/rows';
import { useService } from './support/service';

let readOnlyKey = '';

const METHOD = methodFault('DELETE');
const SCOPE = scopeFault(() => readOnlyKey);
const FIELD: Fault = { of: 'field', status: 400, code: 'invalid_field', apply: body('{"name":"Rex"}') };
const UNKNOWN_PET: Fault = {
  of: 'unknown pet',
  status: 404,
  code: 'pet_not_found',
  apply: path((found) => found.replace('/1', '/x')),
};

/** The order of judgement for a request with a body. Faults of one place of the message are in one list. */
const BODY_ORDER: Order = [
  [EXPECTATION],
  [LENGTH],
  [PATH_ENCODING],
  [ROUTE],
  [METHOD],
  [NO_KEY, UNKNOWN_KEY],
  [SCOPE],
  [ACCEPT],
  [TYPE, TYPES],
  [SIZE],
  [JSON_TEXT],
  [PARAMETER],
  [TOP_LEVEL, FIELD],
];

/** The same for a list. The parameters are judged one by one, the cursor against what the others say. */
const LIST_ORDER: Order = [
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

/** The same for one pet. */
const PET_ORDER: Order = [
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
function pairs(order: Order): { first: Fault; second: Fault; title: string }[] {
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

describe('The order in which a request is judged', () => {
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

  describe('for createPet', () => {
    const start = creation('{"name":"Rex","categoryId":1}');

    it.each(pairs(BODY_ORDER).filter(canStandTogether))(
      'decides between two faults, whichever comes first in the request: $title',
      ({ first, second }) => expectFirst(start, first, second),
    );

    it('reports the first when a request has every fault', async () => {
      let request = start;
      for (const { apply } of [...BODY_ORDER].reverse().flat()) request = apply(request);
      await expectRefused(service(), { request, ...EXPECTATION });
    });

    it('reports invalid_json first, even when name and query are wrong too', async () => {
      const request = creation('{"name":1,', { target: '/v1/pets?page=2' });
      await expectRefused(service(), { request, status: 400, code: 'invalid_json' });
    });
  });

  describe('for listPets', () => {
    it.each(pairs(LIST_ORDER))(
      'decides between two faults, whichever comes first in the request: $title',
      ({ first, second }) => expectFirst({}, first, second),
    );
  });

  describe('for getPet', () => {
    it.each(pairs(PET_ORDER))(
      'decides between two faults, whichever comes first in the request: $title',
      ({ first, second }) => expectFirst({ target: '/v1/pets/1' }, first, second),
    );
  });

  it('never reads the body of a request without a valid key', async () => {
    const headers = { 'Content-Length': '50', Expect: '100-continue' };
    expect(await ask(service(), creation('', { key: null, headers }))).toMatchObject({ status: 401 });
  });

  it('lets no refused request make a pet', async () => {
    const list = await ask(service(), {});
    expect(JSON.parse(list.body)).toHaveLength(1);
  });
});
