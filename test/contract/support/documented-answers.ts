import type { RawAnswer } from '../../support/raw-http';
import type { TestService } from '../../support/service';
import { ask, creation, field, type WireRequest } from './request';
import { SchemaCheck } from './schema-check';
import {
  BASE_PATH,
  bodySchema,
  type DocumentedResponse,
  operationsOf,
  resolveSchema,
  type Schema,
  type ServedDocument,
  type ServedOperation,
} from './served-document';

/** The largest int64, as text: a double would round it. */
const LARGEST = '9223372036854775807';

/**
 * Provokes every documented answer of every operation of a document.
 *
 * @returns a sentence for each answer that could not be provoked or is not what the document says
 */
export async function findBrokenPromises(service: TestService, document: ServedDocument): Promise<string[]> {
  const check = new SchemaCheck(document);
  const broken: string[] = [];
  for (const operation of operationsOf(document)) {
    const good = await goodRequest(service, document, operation);
    for (const [status, response] of Object.entries(operation.responses)) {
      const request = good && requestFor(status, good, operation);
      const faults = request
        ? judge(await ask(service, request), status, response, operation, check)
        : ['no request of this suite provokes it'];
      broken.push(...faults.map((fault) => `${operation.operationId} ${status}: ${fault}`));
    }
  }
  return broken;
}

/** A request the operation carries out; undefined when the document does not tell how to make one. */
async function goodRequest(
  service: TestService,
  document: ServedDocument,
  operation: ServedOperation,
): Promise<WireRequest | undefined> {
  const { method, path } = operation;
  const schema = bodySchema(operation);
  const body = schema && exampleText(schema, document);
  const collection = /^(.*)\/\{\w+\}$/.exec(path)?.[1] ?? path;
  const adding = operationsOf(document).find((other) => other.path === collection && other.method === 'POST');
  const itemSchema = adding && bodySchema(adding);
  if (collection.includes('{') || !itemSchema) return undefined;
  const item = creation(exampleText(itemSchema, document), { target: BASE_PATH + collection });
  // Two, so that a list of one at a time has a next page.
  await ask(service, item);
  const location = field(await ask(service, item), 'location');
  const target = collection === path ? BASE_PATH + path : location;
  if (target === undefined) return undefined;
  return body === undefined ? { method, target } : { ...creation(body), method, target };
}

/** A request that provokes one status; undefined when this suite knows none. */
function requestFor(status: string, good: WireRequest, operation: ServedOperation): WireRequest | undefined {
  const target = good.target as string;
  switch (status) {
    case '200':
      return has(operation, 'limit') ? { ...good, target: `${target}?limit=1` } : good;
    case '201':
      return good;
    case '400':
      return good.body === undefined
        ? { ...good, target: `${target}?no-such-parameter=1` }
        : { ...good, body: '{}' };
    case '401':
      return { ...good, key: null };
    case '404':
      return { ...good, target: target.replace(/[^/]+$/, LARGEST) };
    case 'default':
      return { ...good, headers: { ...good.headers, Accept: 'text/html' } };
    default:
      return undefined;
  }
}

function has(operation: ServedOperation, parameter: string): boolean {
  return operation.parameters?.some(({ name }) => name === parameter) ?? false;
}

function judge(
  answer: RawAnswer,
  status: string,
  response: DocumentedResponse,
  operation: ServedOperation,
  check: SchemaCheck,
): string[] {
  const isRight =
    status === 'default' ? !(String(answer.status) in operation.responses) : String(answer.status) === status;
  if (!isRight) return [`it is ${answer.status} instead`];
  const faults = Object.keys(response.headers ?? {})
    .filter((name) => !field(answer, name))
    .map((name) => `the header ${name} is missing`);
  const schema = response.content?.['application/json']?.schema;
  if (!schema) return [...faults, 'no schema is documented'];
  if (field(answer, 'content-type') !== 'application/json; charset=utf-8') faults.push('it is not JSON');
  return [...faults, ...check.faults(answer.body, schema)];
}

/** The example of a schema as JSON text, each int64 the largest there is. */
function exampleText(schema: Schema, document: ServedDocument): string {
  const { example, properties, format, items } = resolveSchema(schema, document);
  if (format === 'int64') return LARGEST;
  if (items) return `[${exampleText(items, document)}]`;
  if (!properties) return JSON.stringify(example);
  const members = Object.entries(properties);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exampleText(member, document)}`).join()}}`;
}
