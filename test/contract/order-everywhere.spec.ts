import type { ErrorBody } from '../../src/platform/errors/app-error';
import {
  bodySchema,
  isList,
  operationsOf,
  referencesOf,
  type ServedDocument,
  type ServedOperation,
  servedDocument,
  targetOf,
} from '../support/served-document';
import {
  ACCEPT,
  BAD_CURSOR,
  BAD_LIMIT,
  body,
  CHANGED,
  EXPECTATION,
  type Fault,
  JSON_TEXT,
  LENGTH,
  MATCHING,
  methodFault,
  NO_KEY,
  type Order,
  PARAMETER,
  PATH_ENCODING,
  ROUTE,
  scopeFault,
  SIZE,
  TOP_LEVEL,
  TYPE,
  UNKNOWN_KEY,
} from './support/faults';
import { type GoodRequest, goodRequest, LARGEST } from './support/good-request';
import { ask, type WireRequest } from './support/request';
import { useService } from './support/service';

describe('The order of judgement', () => {
  const service = useService('sqlite');
  let document: ServedDocument;
  let keyOfNoModule: string;
  beforeAll(async () => {
    document = await servedDocument(service());
    keyOfNoModule = await service().keyWith('admin:read');
  });

  it('is that of the contract for every operation: of all faults of a request the first is answered', async () => {
    const operations = operationsOf(document);
    expect(operations.length).toBeGreaterThan(0);
    for (const operation of operations) {
      const { operationId } = operation;
      const { request, requestWith } = await goodRequest(service(), document, operation);
      const order = orderOf(operation, requestWith);
      const answered: string[] = [];
      for (const [place, faults] of order.entries()) {
        for (const fault of faults) answered.push(await answerTo(request, fault, order.slice(place + 1)));
      }
      const expected = order.flat().map((fault) => inWords(fault, fault.status, fault.code));
      expect({ operationId, answered }).toEqual({ operationId, answered: expected });
      expect((await ask(service(), request)).status).toBeLessThan(300);
    }
  }, 60_000);

  /** What can be wrong with a request of an operation. */
  function orderOf(operation: ServedOperation, requestWith: GoodRequest['requestWith']): Order {
    const schema = bodySchema(operation);
    const [reference] = schema ? referencesOf(schema, document) : [];
    return [
      [EXPECTATION],
      [LENGTH],
      [PATH_ENCODING],
      [ROUTE],
      [methodFault('TRACE')],
      [NO_KEY, UNKNOWN_KEY],
      [scopeFault(() => keyOfNoModule)],
      [ACCEPT],
      ...(schema ? [[TYPE], [SIZE], [JSON_TEXT]] : []),
      [PARAMETER],
      ...(schema ? [[TOP_LEVEL]] : []),
      ...(isList(operation) ? [[BAD_LIMIT], [BAD_CURSOR]] : []),
      ...(operation.isOfItem ? [[unknownItem(operation)]] : []),
      ...('412' in operation.responses ? [[CHANGED]] : []),
      ...(reference ? [[missingReference(requestWith({ [reference[0]]: LARGEST }))]] : []),
      ...(operation.method === 'GET' ? [[MATCHING]] : []),
    ];
  }

  /** Answer to a request with a fault, and with every later one: where two concern the same text, the first stands. */
  async function answerTo(request: WireRequest, fault: Fault, later: Order): Promise<string> {
    const faults = [fault, ...later.flatMap(([first]) => first ?? [])];
    const answer = await ask(
      service(),
      faults.reduceRight((faulty, { apply }) => apply(faulty), request),
    );
    const { code } = (answer.body === '' ? { code: '' } : JSON.parse(answer.body)) as ErrorBody;
    return inWords(fault, answer.status, code);
  }
});

function inWords({ of }: Fault, status: number, code: string): string {
  return `${of}: ${status} ${code}`;
}

/** A body that refers to nothing. */
function missingReference({ body: text }: WireRequest): Fault {
  return { of: 'reference', status: 409, code: 'missing_reference', apply: body(text as string) };
}

/** An id no item has. */
function unknownItem(operation: ServedOperation): Fault {
  const example = operation.responses['404']?.content?.['application/json']?.example as ErrorBody | undefined;
  const path = targetOf(operation, LARGEST);
  return {
    of: 'item',
    status: 404,
    code: example?.code ?? 'a code of its own',
    apply: (request) => ({ ...request, target: (request.target ?? '').replace(/^[^?]*/, path) }),
  };
}
