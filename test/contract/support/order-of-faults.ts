import type { ErrorBody } from '../../../src/platform/errors/app-error';
import {
  bodySchema,
  isList,
  parametersIn,
  referencesOf,
  type ServedOperation,
  targetOf,
} from '../../support/service/served-document';
import type { TestService } from '../../support/service/service';
import * as faults from './faults';
import { type GoodRequest, goodRequest, LARGEST } from './good-request';
import { ask, type WireRequest } from './request';
import { codesOf } from './rule-errors';
import type { TriedOperation } from './tried-operation';

/** Sends requests with several faults: of all of them the first in the order of the contract is the one that is returned. */
export async function expectFirstFaultReturned(tried: TriedOperation, keyOfNoModule: string): Promise<void> {
  const { service, document, operation } = tried;
  const { operationId } = operation;
  const good = await goodRequest(service, document, operation);
  const order = await orderOf(tried, good, keyOfNoModule);
  const responses: string[] = [];
  for (const [place, alike] of order.entries()) {
    for (const fault of alike) {
      responses.push(await responseTo(service, good.request, fault, order.slice(place + 1)));
    }
  }
  const expected = order.flat().map((fault) => inWords(fault, fault.status, fault.code));
  expect({ operationId, responses }).toEqual({ operationId, responses: expected });
  expect((await ask(service, good.request)).status).toBeLessThan(300);
}

/** What can be wrong with a request of an operation. */
async function orderOf(
  tried: TriedOperation,
  good: GoodRequest,
  keyOfNoModule: string,
): Promise<faults.Order> {
  const { document, operation } = tried;
  const schema = bodySchema(operation);
  const [reference] = schema ? referencesOf(schema, document) : [];
  return [
    [faults.EXPECTATION],
    [faults.LENGTH],
    [faults.PATH_ENCODING],
    [faults.ROUTE],
    [faults.methodFault('TRACE')],
    [faults.NO_KEY, faults.UNKNOWN_KEY],
    [faults.scopeFault(() => keyOfNoModule)],
    [faults.ACCEPT],
    ...(schema ? [[faults.TYPE, faults.TYPES], [faults.SIZE], [faults.JSON_TEXT]] : []),
    [faults.PARAMETER],
    ...(schema ? [[faults.TOP_LEVEL]] : []),
    ...(isList(operation) ? [[faults.BAD_LIMIT]] : []),
    // A nested list may look for the item it belongs to before it reads the cursor.
    ...(isList(operation) && !operation.path.includes('{') ? [[faults.BAD_CURSOR]] : []),
    ...('404' in operation.responses && operation.path.includes('{')
      ? [[await unknownItem(tried, good)]]
      : []),
    ...('412' in operation.responses ? [[faults.CHANGED]] : []),
    ...(reference ? [[missingReference(good.requestWith({ [reference[0]]: LARGEST }))]] : []),
    ...(operation.method === 'GET' ? [[faults.MATCHING]] : []),
  ];
}

/** The response to a request with a fault, and with every later one: where two concern the same text, the first stands. */
async function responseTo(
  service: TestService,
  request: WireRequest,
  fault: faults.Fault,
  later: faults.Order,
): Promise<string> {
  const all = [fault, ...later.flatMap(([first]) => first ?? [])];
  const response = await ask(
    service,
    all.reduceRight((faulty, { apply }) => apply(faulty), request),
  );
  const { code } = (response.body === '' ? { code: '' } : JSON.parse(response.body)) as ErrorBody;
  return inWords(fault, response.status, code);
}

function inWords({ of }: faults.Fault, status: number, code: string): string {
  return `${of}: ${status} ${code}`;
}

/** A body that refers to nothing. */
function missingReference({ body: text }: WireRequest): faults.Fault {
  return { of: 'reference', status: 409, code: 'missing_reference', apply: faults.body(text as string) };
}

/** The target of an operation whose last parameter identifies nothing. */
export function unknownTarget({ path }: ServedOperation, { values }: GoodRequest): string {
  return targetOf(path, { ...values, [parametersIn(path).at(-1) as string]: LARGEST });
}

/** An id no item has. Of the errors that the operation has for that, the one without other faults comes also with them. */
async function unknownItem({ service, operation }: TriedOperation, good: GoodRequest): Promise<faults.Fault> {
  const path = unknownTarget(operation, good);
  const { body } = await ask(service, { ...good.request, target: path });
  const codes = codesOf(operation.responses['404'] ?? {});
  const { code } = JSON.parse(body) as ErrorBody;
  return {
    of: 'item',
    status: 404,
    code: codes.includes(code) ? code : codes.join(' or '),
    apply: (request) => ({ ...request, target: (request.target ?? '').replace(/^[^?]*/, () => path) }),
  };
}
