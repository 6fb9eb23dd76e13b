import type { TestService } from './service';

/** A schema object of OpenAPI 3.0, as far as the tests look into it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly example?: unknown;
  /** The limits of a decimal, which is a text. */
  readonly 'x-minimum'?: string;
  readonly 'x-maximum'?: string;
  /** The collection whose items the value identifies. */
  readonly 'x-refers-to'?: string;
}

/** A response of an operation. */
export interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** A parameter of an operation. */
export interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

/** An operation of a path item. */
interface OperationObject {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  readonly security?: readonly object[];
}

/** The OpenAPI document the service serves. */
export interface ServedDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** One operation, with where it is found. */
export interface ServedOperation extends OperationObject {
  readonly method: string;
  /** Path template under the base address, `/pets/{petId}`. */
  readonly path: string;
  /** Path of the collection it is about, `/pets`; a nested one has parameters, `/pets/{petId}/vaccination-records`. */
  readonly collection: string;
  /** The parameter of the path that is the id of one item; undefined when it is about the whole collection. */
  readonly itemParameter: string | undefined;
}

/** Where the paths of the document begin. */
export const BASE_PATH = '/v1';

const documents = new WeakMap<TestService, Promise<ServedDocument>>();

/** The document as a client gets it; fetched from a service once. */
export function servedDocument(service: TestService): Promise<ServedDocument> {
  const document = documents.get(service) ?? fetchDocument(service);
  documents.set(service, document);
  return document;
}

async function fetchDocument({ url }: TestService): Promise<ServedDocument> {
  return (await (await fetch(`${url}/docs/openapi.json`)).json()) as ServedDocument;
}

/**
 * Tells whether its module describes an operation. One that is written as Nest's documentation has it keeps the name that Nest
 * gives it, and declares no response: the document knows its status only.
 */
export function isDescribed({ operationId, responses }: ServedOperation): boolean {
  const hasSchema = Object.entries(responses).some(
    ([status, { content }]) => status.startsWith('2') && content,
  );
  return hasSchema || !/Controller_\w+$/.test(operationId);
}

/** Every operation of a document. */
export function operationsOf(document: ServedDocument): ServedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const collection = collectionOf(path, document);
    const itemParameter = parametersIn(path.slice(collection.length)).at(0);
    return Object.entries(item).map(([method, operation]) => ({
      ...operation,
      path,
      collection,
      itemParameter,
      method: method.toUpperCase(),
    }));
  });
}

/**
 * The collection that a path is about: up to its last parameter, `/orders` for `/orders/{orderId}` and for what is done with an
 * order, `/orders/{orderId}/cancel`. What is listed, added to, or has items in paths of their own is a collection itself.
 */
function collectionOf(path: string, { paths }: ServedDocument): string {
  const { get, post } = paths[path] ?? {};
  const isPaged = get?.parameters?.some(({ name }) => name === 'cursor');
  const isAddedTo = post?.responses['201']?.headers?.['Location'] !== undefined;
  const hasItems = Object.keys(paths).some((other) => other.startsWith(`${path}/{`));
  if (!path.endsWith('}') && (isPaged || isAddedTo || hasItems)) return path;
  const end = path.lastIndexOf('/{');
  return end < 0 ? path : path.slice(0, end);
}

/** The names of the parameters in a path. */
export function parametersIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Values of the parameters of a path, by name. */
export type PathValues = Readonly<Record<string, unknown>>;

/** The target of a path with values in place of its parameters. */
export function targetOf(path: string, values: PathValues = {}): string {
  return (
    BASE_PATH + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  );
}

/** The schema of an operation's body; undefined when it has none. */
export function bodySchema(operation: ServedOperation): Schema | undefined {
  return operation.requestBody?.content['application/json']?.schema;
}

/** Media types an operation takes its body in. */
export function bodyTypes(operation: ServedOperation): string[] {
  return Object.keys(operation.requestBody?.content ?? {});
}

/** The query parameters of an operation. */
export function queryParameters({ parameters = [] }: ServedOperation): DocumentedParameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

/** Whether an operation responds page by page. */
export function isList(operation: ServedOperation): boolean {
  return queryParameters(operation).some(({ name }) => name === 'cursor');
}

/** The schema a reference leads to. */
export function resolveSchema(schema: Schema, document: ServedDocument): Schema {
  if (schema.$ref === undefined) return schema;
  const target = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (!target) throw new Error(`${schema.$ref} leads nowhere.`);
  return resolveSchema(target, document);
}

/** The members of an object schema that are arrays of objects, with the schema of those. */
export function objectArraysOf(schema: Schema, document: ServedDocument): [string, Schema][] {
  const members = Object.entries(resolveSchema(schema, document).properties ?? {});
  return members.flatMap(([name, { items }]) => {
    const object = items && resolveSchema(items, document);
    return object?.properties ? [[name, object]] : [];
  });
}

/** The members of an object schema that identify items of a collection, with the path of that collection. */
export function referencesOf(schema: Schema, document: ServedDocument): [string, string][] {
  const members = Object.entries(resolveSchema(schema, document).properties ?? {});
  return members.flatMap(([name, { 'x-refers-to': collection }]) =>
    collection === undefined ? [] : [[name, collection]],
  );
}

/** The members of an object schema that are arrays of ids of items of a collection, with their schema and the path of that collection. */
export function referenceArraysOf(schema: Schema, document: ServedDocument): [string, Schema, string][] {
  const members = Object.entries(resolveSchema(schema, document).properties ?? {});
  return members.flatMap(([name, member]) => {
    const collection = member.items?.['x-refers-to'];
    return collection === undefined ? [] : [[name, member, collection]];
  });
}
