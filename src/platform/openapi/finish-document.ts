import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from '../http/operation';
import { errorExamples, errorsOf } from './documented-errors';
import { headersOf } from './documented-headers';
import { type FeatureTagDeclaration, TAG_METADATA } from './feature-tag.decorator';
import { exampleOf, finishSchemas, type Schema, schemaRef } from './schemas';

interface ResponseObject {
  description: string;
  headers?: object;
  content?: Record<string, { schema: object; example?: unknown; examples?: object }>;
}

interface OperationObject {
  tags?: string[];
  summary?: string;
  description?: string;
  operationId: string;
  deprecated?: boolean;
  parameters?: unknown[];
  requestBody?: object;
  responses: Record<string, ResponseObject>;
  security?: unknown[];
}

/**
 * Turns what the generator made into the document that is served: the version segment in the servers and not in the
 * paths, named arrays and enums, and on every operation the headers and errors the platform gives it.
 */
export function finishDocument(raw: OpenAPIObject, operations: readonly Operation[]): OpenAPIObject {
  const { openapi, info, servers = [], components = {} } = raw;
  finishSchemas(raw);
  const paths: Record<string, Record<string, unknown>> = {};
  const documented = operations.filter(({ answer }) => answer);
  for (const operation of documented) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const method = operation.method.toLowerCase();
    const generated = (raw.paths[path] as unknown as Record<string, OperationObject>)[
      method
    ] as OperationObject;
    nameCollection(generated, operation, components.schemas as Record<string, Schema>);
    const shortPath = path.replace(/^\/v\d+/, '');
    paths[shortPath] = { ...paths[shortPath], [method]: finishOperation(generated, operation) };
  }
  return {
    openapi,
    info,
    servers,
    tags: tagsOf(documented),
    paths,
    components: { ...components, securitySchemes: withoutBearerFormat(components.securitySchemes ?? {}) },
  } as OpenAPIObject;
}

function finishOperation(generated: OperationObject, operation: Operation): OperationObject {
  const { tags, summary, description, operationId, parameters, requestBody, responses, security } = generated;
  for (const { status, description: text, errors } of errorsOf(operation)) {
    responses[status] = {
      description: text,
      content: { 'application/json': { schema: schemaRef('Error'), examples: errorExamples(errors) } },
    };
  }
  return {
    ...{ tags, summary, description, operationId },
    ...(operation.deprecation && { deprecated: true }),
    ...(parameters?.length && { parameters }),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, { description: text, ...response }]) => [
        status,
        { description: text, headers: headersOf(operation, status), ...response },
      ]),
    ),
    ...(security && { security }),
  };
}

/** Gives the array a page answers with a name of its own, so that clients get a type for it. */
function nameCollection(
  generated: OperationObject,
  { answer }: Operation,
  schemas: Record<string, Schema>,
): void {
  if (!answer?.collection) return;
  const json = generated.responses[String(answer.status)]?.content?.['application/json'];
  if (!json) return;
  const { items } = json.schema as Schema;
  schemas[answer.collection] = {
    type: 'array',
    items: items as Schema,
    description: 'A page of a list.',
    example: [exampleOf(items as Schema, schemas)],
  };
  json.schema = schemaRef(answer.collection);
}

function tagsOf(operations: readonly Operation[]): FeatureTagDeclaration[] {
  const tags = operations.map(
    ({ controller }) => Reflect.getMetadata(TAG_METADATA, controller) as FeatureTagDeclaration | undefined,
  );
  return [...new Map(tags.filter((tag) => tag !== undefined).map((tag) => [tag.name, tag])).values()];
}

/** The generator invents a format for the token; an API key has none that is standardised. */
function withoutBearerFormat(schemes: object): object {
  return Object.fromEntries(
    Object.entries(schemes as Record<string, { bearerFormat?: string }>).map(
      ([name, { bearerFormat: _, ...scheme }]) => [name, scheme],
    ),
  );
}
