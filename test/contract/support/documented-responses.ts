import type { RawResponse } from '../../support/raw-http';
import {
  bodySchema,
  bodyTypes,
  type DocumentedResponse,
  isList,
  operationsOf,
  referencesOf,
  type ServedDocument,
  type ServedOperation,
  targetOf,
} from '../../support/served-document';
import type { TestService } from '../../support/service';
import { type GoodRequest, goodRequest, LARGEST } from './good-request';
import { whileReferredTo } from './referring-table';
import { ask, field, type WireRequest } from './request';
import { codesOf, isOfRules } from './rule-errors';
import { SchemaCheck } from './schema-check';

const UNKNOWN = 'no request of this suite provokes it';

/** What is known of the response to be provoked. */
interface Promised {
  readonly service: TestService;
  readonly document: ServedDocument;
  readonly operation: ServedOperation;
  readonly status: string;
  readonly response: DocumentedResponse;
}

/**
 * Provokes every documented answer of every operation of a document.
 *
 * @returns a sentence for each response that could not be provoked or is not what the document says
 */
export async function findBrokenPromises(service: TestService, document: ServedDocument): Promise<string[]> {
  const check = new SchemaCheck(document);
  const broken: string[] = [];
  for (const operation of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const promised = { service, document, operation, status, response };
      const faults = await faultsOf(promised, check).catch((error: unknown) => [(error as Error).message]);
      broken.push(...faults.map((fault) => `${operation.operationId} ${status}: ${fault}`));
    }
  }
  return broken;
}

async function faultsOf(promised: Promised, check: SchemaCheck): Promise<string[]> {
  const { service, document, operation, status, response } = promised;
  const codes = codesOf(response);
  const good = await goodRequest(service, document, operation);
  if (codes.includes('missing_reference')) return missingReferenceFaults(promised, good, check);
  if (codes.includes('still_referenced')) {
    const refused = await whileReferredTo(service, operation.collection, good.id as number, () =>
      ask(service, good.request),
    );
    return judge(refused, promised, check);
  }
  if (codes.includes('idempotency_key_reused')) return reusedKeyFaults(good.request, promised, check);
  // One request at a time is never under way already: the tests of idempotency see to that.
  if (codes.join() === 'idempotency_in_progress') return [];
  const requests = requestsFor(status, good.request, operation);
  if (requests.length === 0) return isOfRules(status, response) ? [] : [UNKNOWN];
  const faults: string[] = [];
  for (const request of requests) faults.push(...judge(await ask(service, request), promised, check));
  return faults;
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
  if (references.length === 0) return [UNKNOWN];
  const faults: string[] = [];
  for (const [member] of references) {
    const answer = await ask(service, good.requestWith({ [member]: LARGEST }));
    faults.push(...judge(answer, promised, check));
    if (!answer.body.includes(`${member} refers`)) faults.push(`its message does not name ${member}`);
  }
  return faults;
}

/** Requests that provoke one status; none when this suite knows none. */
function requestsFor(status: string, good: WireRequest, operation: ServedOperation): WireRequest[] {
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
    case '400':
      return good.body === undefined
        ? [{ ...good, target: `${target}?no-such-parameter=1` }]
        : [{ ...good, body: '[]' }];
    case '401':
      return [{ ...good, key: null }];
    case '404':
      return operation.isOfItem ? [{ ...good, target: targetOf(operation, LARGEST) }] : [];
    case '412':
      return [{ ...good, headers: { ...good.headers, 'If-Match': '"no-such-tag"' } }];
    case 'default':
      return [{ ...good, headers: { ...good.headers, Accept: 'text/html' } }];
    default:
      return [];
  }
}

function judge(answer: RawResponse, { status, response, operation }: Promised, check: SchemaCheck): string[] {
  const isRight =
    status === 'default' ? !(String(answer.status) in operation.responses) : String(answer.status) === status;
  if (!isRight) return [`it is ${answer.status} instead`];
  const faults = Object.keys(response.headers ?? {})
    .filter((name) => !field(answer, name))
    .map((name) => `the header ${name} is missing`);
  const schema = response.content?.['application/json']?.schema;
  if (!schema) return [...faults, ...(status === '204' ? bodyFaults(answer) : ['no schema is documented'])];
  if (field(answer, 'content-type') !== 'application/json; charset=utf-8') faults.push('it is not JSON');
  faults.push(...check.faults(answer.body, schema));
  if (answer.status < 400 || faults.length > 0) return faults;
  const { code } = JSON.parse(answer.body) as { code: string };
  return codesOf(response).includes(code) ? [] : [`its code ${code} is not documented`];
}

function bodyFaults({ body, headers }: RawResponse): string[] {
  return body === '' && !headers.has('content-type') ? [] : ['it has a body'];
}
