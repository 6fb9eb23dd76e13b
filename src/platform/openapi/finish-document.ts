import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { deprecationNotice } from '../deprecation/deprecations';
import { bodyMediaTypes } from '../http/operations/media-types';
import { isDocumentable, type Operation } from '../http/operations/operation';
import { isConditional } from '../http/request/conditional';
import { openapiPath, pathUnderBase } from '../values/operation-path';
import type { ServiceAddress } from '../values/service-address';
import { errorExamples, errorsOf } from './documented-errors';
import { headersOf } from './documented-headers';
import { exampleOf, finishSchemas, inOrder, requiredMember, type Schema, schemaRef } from './schemas';

interface MediaTypeObject {
  schema: Schema;
  example?: unknown;
  examples?: object;
}

type Content = Record<string, MediaTypeObject>;

interface ResponseObject {
  description: string;
  headers?: object;
  content?: Content;
}

interface OperationObject {
  tags?: string[];
  summary?: string;
  description?: string;
  operationId: string;
  deprecated?: boolean;
  parameters?: ParameterObject[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, ResponseObject>;
  security?: unknown[];
}

interface ParameterObject {
  schema?: Schema;
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Your last ETag: without a change the response is 304 (RFC 9110).',
  required: false,
  schema: { type: 'string' },
};

type Schemas = Record<string, Schema>;

/**
 * Turns the generator's document into the one that is served: the version segment in the servers and not in the paths, named
 * arrays and enums, and on every operation the headers and errors the platform gives it. This function orders the members, so
 * that a newer generator does not shuffle the document.
 *
 * @param descriptions of the operations of a controller, by its class
 */
export function finishDocument(
  raw: OpenAPIObject,
  operations: readonly Operation[],
  descriptions: ReadonlyMap<unknown, string>,
  address: ServiceAddress,
): OpenAPIObject {
  const { openapi, info, servers, externalDocs, components } = raw;
  const schemas = (components?.schemas ?? {}) as Schemas;
  finishSchemas(schemas);
  const paths: Record<string, Record<string, unknown>> = {};
  const tags = new Map<string, { name: string; description: string }>();
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const generated = generatedOf(raw, operation);
    // `@ApiExcludeController()` and `@ApiExcludeEndpoint()` keep an operation out of the document.
    if (operation.listener !== 'public' || !generated) continue;
    const description = descriptions.get(operation.controller);
    for (const name of generated.tags ?? []) {
      if (description !== undefined) tags.set(name, { name, description });
    }
    nameCollection(generated, operation, schemas);
    const path = openapiPath(pathUnderBase(operation));
    paths[path] = {
      ...(path === openapiPath(operation.path) && {
        servers: [{ url: `${address.root}/`, description: 'This server' }],
      }),
      ...paths[path],
      [method]: finishOperation(generated, operation, schemas, address),
    };
  }
  return {
    openapi,
    info,
    externalDocs,
    servers,
    tags: [...tags.values()],
    paths,
    components: { schemas: orderedSchemas(schemas), securitySchemes: components?.securitySchemes },
  };
}

/** Returns names of the operations whose success response is not described, such as `PetsController.listPets`. */
export function undescribed(raw: OpenAPIObject, operations: readonly Operation[]): string[] {
  return operations
    .filter((operation) => {
      const responses = Object.values(generatedOf(raw, operation)?.responses ?? {});
      return operation.listener === 'public' && responses.some(({ description }) => description === '');
    })
    .map(({ handlerName }) => handlerName);
}

/** Returns the generator's operation; undefined if it is kept out of the document, or OpenAPI lacks its method. */
function generatedOf(raw: OpenAPIObject, operation: Operation): OperationObject | undefined {
  if (!isDocumentable(operation)) return undefined;
  const { method, path } = operation;
  const item = raw.paths[openapiPath(path)] as Record<string, OperationObject> | undefined;
  return item?.[method.toLowerCase()];
}

function finishOperation(
  generated: OperationObject,
  operation: Operation,
  schemas: Schemas,
  address: ServiceAddress,
): OperationObject {
  const { tags, summary, operationId, responses, security } = generated;
  const parameters = [...(generated.parameters ?? []), ...(isConditional(operation) ? [IF_NONE_MATCH] : [])];
  const requestBody = generated.requestBody ?? bytesOf(operation);
  if (isConditional(operation)) responses['304'] = { description: 'The client has this response already.' };
  const [body] = Object.values(requestBody?.content ?? {});
  const errorResponses = errorsOf(operation);
  for (const { status, description, errors } of errorResponses) {
    const examples = errorExamples(errors, operation, requiredMember(body?.schema, schemas));
    responses[status] = {
      description,
      content: { 'application/json': { schema: schemaRef('Error'), ...examples } },
    };
  }
  const errorsWith = (wanted: string) => errorResponses.find(({ status }) => status === wanted)?.errors ?? [];
  return {
    tags,
    summary,
    description: describe(generated, operation, address),
    operationId,
    ...(operation.deprecation && { deprecated: true }),
    ...(parameters.length > 0 && { parameters: parameters.map(finishParameter) }),
    ...(requestBody && {
      requestBody: {
        required: requestBody.required,
        content: operation.hasBody
          ? bodyContent(requestBody.content, operation, schemas)
          : withExample(requestBody.content, schemas),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, { description, content }]) => [
        status,
        {
          description: description || `${STATUS_CODES[status] ?? 'Any response'}.`,
          headers: headersOf(operation, status, errorsWith(status), address),
          ...(content && { content: withExample(content, schemas) }),
        },
      ]),
    ),
    ...(security && { security }),
  };
}

function describe(
  { description }: OperationObject,
  operation: Operation,
  address: ServiceAddress,
): string | undefined {
  if (!operation.deprecation) return description;
  const link = `[More on this](${address.guide(operation.id)})`;
  return [description, deprecationNotice(operation), link].filter(Boolean).join(' ');
}

function finishParameter(parameter: ParameterObject): ParameterObject {
  const ordered = inOrder(parameter, ['name', 'in', 'description', 'required', 'schema']);
  if (ordered.schema) ordered.schema = inOrder(ordered.schema, SCHEMA_ORDER);
  return ordered;
}

/** Documents the body of an operation whose handler takes bytes alone. */
function bytesOf({ rawBody }: Operation): OperationObject['requestBody'] {
  return rawBody && { required: true, content: { [rawBody[0] as string]: { schema: {} } } };
}

/** Lists the body under every media type that it may have. */
function bodyContent(content: Content, { method, rawBody }: Operation, schemas: Schemas): Content {
  const [media] = Object.values(withExample(content, schemas)) as [MediaTypeObject];
  return Object.fromEntries((rawBody ?? bodyMediaTypes(method)).map((type) => [type, media]));
}

/** Gives each body without an example that of its schema. */
function withExample(content: Content, schemas: Schemas): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      media.example === undefined && media.examples === undefined
        ? { ...media, example: exampleOf(media.schema, schemas) }
        : media,
    ]),
  );
}

/** Gives the array of a page a name of its own, so that clients get a type for it. */
function nameCollection(generated: OperationObject, operation: Operation, schemas: Schemas): void {
  const { response: declared } = operation;
  if (!declared?.collection) return;
  const response = generated.responses[String(declared.status)];
  const json = response?.content?.['application/json'];
  if (!json) return;
  if (schemas[declared.collection]) {
    throw new Error(
      `Two schemas are named ${declared.collection}: give the list of ${operation.handlerName} another name, in its @PageResponse().`,
    );
  }
  const items = json.schema.items as Schema;
  schemas[declared.collection] = {
    type: 'array',
    description: response.description,
    items,
    example: [exampleOf(items, schemas)],
  };
  json.schema = schemaRef(declared.collection);
}

const SCHEMA_ORDER = ['type', 'format', 'description', 'required', 'properties', 'items', 'enum'];

function orderedSchemas(schemas: Schemas): Schemas {
  const byName = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    byName.map(([name, { properties, ...schema }]) => [
      name,
      inOrder(
        {
          ...schema,
          ...(properties && {
            properties: Object.fromEntries(
              Object.entries(properties).map(([member, property]) => [
                member,
                inOrder(property, SCHEMA_ORDER),
              ]),
            ),
          }),
        },
        SCHEMA_ORDER,
      ),
    ]),
  );
}
