import type { TestService } from '../../support/service';
import { ask } from './request';

/** A schema object of OpenAPI 3.0, as far as the tests look into it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly example?: unknown;
}

/** A response of an operation. */
export interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** An operation of a path item. */
interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

/** The OpenAPI document the service serves. */
export interface ServedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One operation, with where it is found. */
export interface ServedOperation extends OperationObject {
  readonly method: string;
  /** Path template under the base address, `/pets/{petId}`. */
  readonly path: string;
}

/** Where the paths of the document begin. */
export const BASE_PATH = '/v1';

/** Fetches the document as a client does. */
export async function servedDocument(service: TestService): Promise<ServedDocument> {
  const answer = await ask(service, { target: '/docs/openapi.json', key: null });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body) as ServedDocument;
}

/** Every operation of a document. */
export function operationsOf(document: ServedDocument): ServedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
}

/** The schema of an operation's JSON body; undefined when it has none. */
export function bodySchema(operation: ServedOperation): Schema | undefined {
  return operation.requestBody?.content['application/json']?.schema;
}

/** The schema a reference leads to. */
export function resolveSchema(schema: Schema, document: ServedDocument): Schema {
  if (schema.$ref === undefined) return schema;
  const target = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (!target) throw new Error(`${schema.$ref} leads nowhere.`);
  return resolveSchema(target, document);
}
