import type { Shape } from '../src/exact-json.ts';
import {
  type ApiDocument,
  type DocumentedResponse,
  type OperationObject,
  type Parameter,
  resolve,
  type Schema,
} from './document.ts';
import { shapeOf } from './shapes.ts';
import { commentOf, membersOf, typeOf } from './types.ts';

const JSON_TYPE = 'application/json';

/** Prefix of the document's types in the methods, for a type may be named like one of the client's own. */
const SCOPE = 'types.';

/** Source text of one operation. */
export interface WrittenOperation {
  /** The declaration of its query parameters, if it has any. */
  readonly query: { readonly name: string; readonly declaration: string } | undefined;
  /** Its signature, without comments. */
  readonly signature: string;
  readonly method: string;
}

/** The method of an operation, and the type of its query; undefined for streams of events, which the client does not read. */
export function writeOperation(
  path: string,
  method: string,
  operation: OperationObject,
  document: ApiDocument,
  shapes: ReadonlySet<string>,
): WrittenOperation | undefined {
  const { operationId: name, parameters = [], responses, requestBody } = operation;
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw new Error(`No method can be called ${name}.`);
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = successes.flatMap(([, { content = {} }]) => Object.keys(content));
  if (types.includes('text/event-stream')) return undefined;

  const has = (header: string) => parameters.some((one) => one.in === 'header' && one.name === header);
  const queries = parameters.filter((one) => one.in === 'query');
  const query = queries.length > 0 ? queryType(name, queries) : undefined;
  const isFile = types.length > 0 && !types.includes(JSON_TYPE);
  const schemas = successes.map(([, response]) => schemaOf(response));
  const result = isFile
    ? 'Blob'
    : [...new Set(schemas.map((schema) => (schema ? typeOf(schema, SCOPE) : 'void')))].join(' | ');
  const shape = isFile
    ? undefined
    : schemas.map((schema) => schema && shapeOf(schema, shapes)).find((one) => one !== undefined);
  const items = itemsOf(method, queries, schemas[0], document);
  const isIdempotent = has('Idempotency-Key');
  const body = requestBody && bodyOf(requestBody.content);

  const numbers = parameters
    .filter((one) => one.in === 'path' && isNumber(one))
    .map(({ name: one }) => identifier(one));

  const properties = [
    `name: ${JSON.stringify(name)}`,
    `method: '${method.toUpperCase()}'`,
    `path: ${pathOf(path, parameters)}`,
    numbers.length > 0 && `numbers: { ${numbers.join(', ')} }`,
    query && 'query',
    body && 'body',
    body?.type !== undefined && `bodyType: ${JSON.stringify(body.type)}`,
    'options',
    shape !== undefined && `shape: ${shapeText(shape)}`,
    isIdempotent && 'isIdempotent: true',
    isFile && 'isFile: true',
  ].filter((text) => typeof text === 'string');
  const required = [
    ...parameters
      .filter((one) => one.in === 'path')
      .map((one) => `${identifier(one.name)}: ${typeOf(one.schema ?? {}, SCOPE)}`),
    body && requestBody.required && `body: ${body.declared}`,
    query && queries.some((one) => one.required) && `query: ${SCOPE}${query.name}`,
  ];
  const optional = [
    body && !requestBody.required && `body?: ${body.declared}`,
    query && !queries.some((one) => one.required) && `query?: ${SCOPE}${query.name}`,
  ];
  const before = [...required, ...optional].filter((text) => typeof text === 'string');
  const comment = commentOf(operation, operation.summary === undefined ? '' : `${operation.summary}.`);
  const send = items === undefined ? `this.#requests.call<${result}>` : `this.#requests.list<${items}>`;
  const sent = `{ return ${send}({ ${properties.join(', ')} }); }`;
  const gives = items === undefined ? `Call<${result}>` : `List<${items}>`;
  const signature = (options: string, type: string) => `${name}(${[...before, options].join(', ')}): ${type}`;

  const isConditional = method === 'get' && items === undefined && schemas.length > 0 && hasTag(successes);
  if (!isConditional) {
    const kinds = [isIdempotent && 'CreationOptions', has('If-Match') && 'ChangeOptions'];
    const options = kinds.filter((kind) => kind !== false).join(' & ') || 'CallOptions';
    const plain = signature(`options?: ${options}`, gives);
    return { query, signature: plain, method: `${comment}${plain} ${sent}` };
  }
  const always = signature('options?: CallOptions & { readonly ifNoneMatch?: undefined }', gives);
  const conditional = signature('options: ConditionalOptions', `Call<${result} | undefined>`);
  const both = signature('options?: CallOptions & Partial<ConditionalOptions>', `Call<${result}>`);
  const overloads = [`${comment}${always};`, `${comment}${conditional};`, `${both} ${sent}`];
  return { query, signature: `${always} ${conditional}`, method: overloads.join('\n') };
}

function queryType(
  operation: string,
  parameters: readonly Parameter[],
): { name: string; declaration: string } {
  const name = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Query`;
  const properties = Object.fromEntries(
    parameters.map((one) => [
      one.name,
      { ...one.schema, ...(one.description !== undefined && { description: one.description }) },
    ]),
  );
  const required = parameters.filter((one) => one.required).map((one) => one.name);
  const comment = commentOf({ description: `What {@link PetstoreClient.${operation}} can be asked for.` });
  return { name, declaration: `${comment}export interface ${name} ${membersOf({ properties, required })}` };
}

/** The type of a list's items, if the operation is a list: a GET that takes a cursor and returns an array. */
function itemsOf(
  method: string,
  queries: readonly Parameter[],
  schema: Schema | undefined,
  document: ApiDocument,
): string | undefined {
  if (method !== 'get' || !schema || !queries.some((one) => one.name === 'cursor')) return undefined;
  const { type, items } = resolve(schema, document);
  return type === 'array' ? typeOf(items ?? {}, SCOPE) : undefined;
}

function bodyOf(content: NonNullable<OperationObject['requestBody']>['content']): {
  declared: string;
  type?: string;
} {
  const types = Object.keys(content);
  if (types.includes('multipart/form-data')) return { declared: 'FormData' };
  const type = types.find((one) => one === JSON_TYPE || one.endsWith('+json'));
  if (type === undefined) throw new Error(`The client cannot send ${types.join(', ')}.`);
  const declared = typeOf(content[type]?.schema ?? {}, SCOPE);
  return type === JSON_TYPE ? { declared } : { declared, type };
}

function schemaOf({ content }: DocumentedResponse): Schema | undefined {
  return content?.[JSON_TYPE]?.schema;
}

function hasTag(responses: readonly (readonly [string, DocumentedResponse])[]): boolean {
  return responses.some(([, { headers = {} }]) => 'ETag' in headers);
}

/** A template text with the path's parameters in their places. */
function pathOf(path: string, parameters: readonly Parameter[]): string {
  return `\`${path.replace(/\{([^}]+)\}/g, (_all, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter && isNumber(parameter)
      ? `\${${identifier(name)}}`
      : `\${encodeURIComponent(${identifier(name)})}`;
  })}\``;
}

function isNumber({ schema }: Parameter): boolean {
  return schema?.type === 'integer' || schema?.type === 'number';
}

function identifier(name: string): string {
  return name.replace(/[^\w$]+(\w?)/g, (_all, next: string) => next.toUpperCase());
}

function shapeText(shape: Shape): string {
  return JSON.stringify(shape);
}
