import type { RawResponse } from '../../support/http/raw-http';
import { operationSamples, type Provocation } from '../../support/samples/module-samples';
import { adding } from '../../support/samples/samples';
import {
  bodySchema,
  bodyTypes,
  type DocumentedResponse,
  isList,
  objectArraysOf,
  referenceArraysOf,
  referencesOf,
  type ServedOperation,
} from '../../support/service/served-document';
import { type GoodRequest, goodRequest, LARGEST, textsOf } from './good-request';
import { unknownTarget } from './order-of-faults';
import { whileReferredTo } from './referring-table';
import { ask, field, type WireRequest } from './request';
import { codesOf, isOfModule } from './rule-errors';
import { SchemaCheck } from './schema-check';
import type { TriedOperation } from './tried-operation';

/** Header fields that each response has which is documented with them. */
const ALWAYS: readonly string[] = ['Deprecation', 'ETag', 'Link', 'Location', 'Sunset', 'WWW-Authenticate'];

/** Header fields that only some responses have of those which are documented with them. */
const AT_TIMES: readonly string[] = ['Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After'];

/** Statuses of responses that never have a body. */
const EMPTY: readonly string[] = ['204', '304'];

const UNKNOWN = 'no request of this suite provokes it';

/** What is known of the response to be provoked. */
interface Promised extends TriedOperation {
  readonly status: string;
  readonly documented: DocumentedResponse;
}

/**
 * Provokes every documented response of an operation.
 *
 * @returns a sentence for each response that could not be provoked or is not what the document says
 */
export async function findBrokenPromises(tried: TriedOperation): Promise<string[]> {
  const { document, operation } = tried;
  const check = new SchemaCheck(document);
  const broken: string[] = [];
  for (const [status, documented] of Object.entries(operation.responses)) {
    const promised = { ...tried, status, documented };
    const faults = await faultsOf(promised, check).catch((error: unknown) => [(error as Error).message]);
    broken.push(...faults.map((fault) => `${operation.operationId} ${status}: ${fault}`));
  }
  return broken;
}

async function faultsOf(promised: Promised, check: SchemaCheck): Promise<string[]> {
  const { service, document, operation, status, documented } = promised;
  const good = await goodRequest(service, document, operation);
  const requests = requestsFor(status, good, operation);
  const faults: string[] = [];
  for (const request of requests) faults.push(...judge(await ask(service, request), promised, check));
  const codes = codesOf(documented);
  let isKnown = requests.length > 0 || codes.length > 0;
  for (const code of codes) {
    const found = await faultsOfCode(code, promised, check);
    faults.push(...(found ?? []));
    if (!found && requests.length === 0 && !isLeftToOthers(code)) isKnown = false;
  }
  return isKnown ? faults : [...faults, UNKNOWN];
}

/** Whether only other tests know what leads to an error: those of the module, or those of two requests at the same time. */
function isLeftToOthers(code: string): boolean {
  return code === 'idempotency_in_progress' || isOfModule(code);
}

/** What is wrong with a response that has this code; undefined when nothing is known of how to meet it. */
async function faultsOfCode(
  code: string,
  promised: Promised,
  check: SchemaCheck,
): Promise<string[] | undefined> {
  const { service, document, operation } = promised;
  const provoke = operationSamples(service, operation.operationId).errors?.[code];
  const search = provoke
    ? (good: GoodRequest) => provokedFaults(provoke, code, good, promised, check)
    : {
        duplicate_value: (good: GoodRequest) => duplicateFaults(good, promised, check),
        missing_reference: (good: GoodRequest) => missingReferenceFaults(promised, good, check),
        still_referenced: (good: GoodRequest) => referredFaults(promised, good, check),
        idempotency_key_reused: ({ request }: GoodRequest) => reusedKeyFaults(request, promised, check),
      }[code];
  return search?.(await goodRequest(service, document, operation));
}

/** An item gets the values that another one has just got. */
async function duplicateFaults(good: GoodRequest, promised: Promised, check: SchemaCheck): Promise<string[]> {
  const { service, document, operation } = promised;
  await ask(service, good.request);
  const other = await goodRequest(service, document, operation);
  const { body = '' } = good.request;
  return judge(await ask(service, { ...other.request, body }), promised, check);
}

async function provokedFaults(
  provoke: Provocation,
  code: string,
  good: GoodRequest,
  promised: Promised,
  check: SchemaCheck,
): Promise<string[]> {
  const { service } = promised;
  const request = await provoke({
    request: good.request,
    requestWith: (members) => good.requestWith(textsOf(members)),
    send: (first) => ask(service, first),
    add: adding(service),
  });
  const response = await ask(service, request);
  const faults = judge(response, promised, check);
  return faults.length > 0 || response.body.includes(`"${code}"`) ? faults : [`its code is not ${code}`];
}

/** A row of a table of the test's own refers to the item. */
async function referredFaults(promised: Promised, good: GoodRequest, check: SchemaCheck): Promise<string[]> {
  const { service, operation } = promised;
  const id = good.values[operation.itemParameter ?? ''] as number;
  const refused = await whileReferredTo(service, operation.collection, id, () => ask(service, good.request));
  return judge(refused, promised, check);
}

/** The key of a request that was carried out comes again, with one byte more. */
async function reusedKeyFaults(good: WireRequest, promised: Promised, check: SchemaCheck): Promise<string[]> {
  const request = {
    ...good,
    headers: { ...good.headers, 'Idempotency-Key': promised.operation.operationId },
  };
  await ask(promised.service, request);
  const again = await ask(promised.service, { ...request, body: `${String(good.body)} ` });
  return judge(again, promised, check);
}

/** Each reference of the body in turn leads to nothing, and the message names it. */
async function missingReferenceFaults(
  promised: Promised,
  good: GoodRequest,
  check: SchemaCheck,
): Promise<string[]> {
  const { service, document, operation } = promised;
  const references = referencesOf(bodySchema(operation) ?? {}, document);
  const arrays = objectArraysOf(bodySchema(operation) ?? {}, document);
  const inObjects = arrays.flatMap(([name, object]) =>
    referencesOf(object, document).map(([member]) => [name, member] as const),
  );
  const inArrays = referenceArraysOf(bodySchema(operation) ?? {}, document);
  if (references.length + inObjects.length + inArrays.length === 0) return [UNKNOWN];
  const faults: string[] = [];
  for (const [name, member] of inObjects) {
    const { [name]: objects } = JSON.parse(String(good.request.body)) as Record<string, object[]>;
    const text = JSON.stringify(objects).replace(new RegExp(`"${member}":\\d+`), `"${member}":${LARGEST}`);
    const response = await ask(service, good.requestWith({ [name]: text }));
    faults.push(...judge(response, promised, check));
    if (!response.body.includes(`${member} refers`)) faults.push(`its message does not name ${member}`);
  }
  for (const [name, { minItems = 1 }] of inArrays) {
    const ids = Array.from({ length: minItems }, (_, index) => BigInt(LARGEST) - BigInt(index));
    const response = await ask(service, good.requestWith({ [name]: `[${ids.join()}]` }));
    faults.push(...judge(response, promised, check));
    if (!response.body.includes(`${name}[0] refers`)) faults.push(`its message does not name ${name}[0]`);
  }
  for (const [member] of references) {
    const response = await ask(service, good.requestWith({ [member]: LARGEST }));
    faults.push(...judge(response, promised, check));
    if (!response.body.includes(`${member} refers`)) faults.push(`its message does not name ${member}`);
  }
  return faults;
}

/** Requests that provoke one status; none when this suite knows none. */
function requestsFor(
  status: string,
  { request: good, ...about }: GoodRequest,
  operation: ServedOperation,
): WireRequest[] {
  const target = good.target as string;
  switch (status) {
    case '200':
    case '201':
      if (isList(operation)) return [{ ...good, target: `${target}?limit=1` }];
      return good.body === undefined
        ? [good]
        : bodyTypes(operation).map((type) => ({ ...good, headers: { 'Content-Type': type } }));
    case '204':
      return [good];
    case '304':
      return [
        {
          ...good,
          target: isList(operation) ? `${target}?limit=1` : target,
          headers: { ...good.headers, 'If-None-Match': '*' },
        },
      ];
    case '400':
      return good.body === undefined
        ? [{ ...good, target: `${target}?no-such-parameter=1` }]
        : [{ ...good, body: '[]' }];
    case '401':
      return [{ ...good, key: null }];
    case '404':
      return operation.path.includes('{')
        ? [{ ...good, target: unknownTarget(operation, { request: good, ...about }) }]
        : [];
    case '412':
      return [{ ...good, headers: { ...good.headers, 'If-Match': '"no-such-tag"' } }];
    case 'default':
      return [{ ...good, headers: { ...good.headers, Accept: 'text/html' } }];
    default:
      return [];
  }
}

function judge(
  response: RawResponse,
  { status, documented, operation }: Promised,
  check: SchemaCheck,
): string[] {
  const isRight =
    status === 'default'
      ? !(String(response.status) in operation.responses)
      : String(response.status) === status;
  if (!isRight) return [`it is ${response.status} instead`];
  const faults = headerFaults(response, documented);
  const schema = documented.content?.['application/json']?.schema;
  if (!schema)
    return [...faults, ...(EMPTY.includes(status) ? bodyFaults(response) : ['no schema is documented'])];
  if (field(response, 'content-type') !== 'application/json; charset=utf-8') faults.push('it is not JSON');
  faults.push(...check.faults(response.body, schema));
  if (response.status < 400 || faults.length > 0) return faults;
  const { code } = JSON.parse(response.body) as { code: string };
  return codesOf(documented).includes(code) ? [] : [`its code ${code} is not documented`];
}

function headerFaults(response: RawResponse, { headers = {} }: DocumentedResponse): string[] {
  const documented = Object.keys(headers);
  return [
    ...documented
      .filter((name) => !AT_TIMES.includes(name) && !field(response, name))
      .map((name) => `the header ${name} is missing`),
    ...[...ALWAYS, ...AT_TIMES]
      .filter((name) => !documented.includes(name) && field(response, name))
      .map((name) => `the header ${name} is not documented`),
  ];
}

function bodyFaults({ body, headers }: RawResponse): string[] {
  return body === '' && !headers.has('content-type') ? [] : ['it has a body'];
}
