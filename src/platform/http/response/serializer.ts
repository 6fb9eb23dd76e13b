import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema } from 'fast-json-stringify';
import type { Serializer } from '../exchange/exchange';
import type { Operation } from '../operations/operation';
import { openapiPath, pathUnderBase } from '../../values/operation-path';

/** Compiles the serialiser of an operation's success response from its schema in the document. */
export function compileSerializer(operation: Operation, document: OpenAPIObject): Serializer {
  const path = openapiPath(pathUnderBase(operation));
  const pathItem = document.paths[path] as Record<string, { responses: Record<string, unknown> }> | undefined;
  const response = pathItem?.[operation.method.toLowerCase()]?.responses[
    String(operation.response?.status)
  ] as { content?: Record<string, { schema?: object }> } | undefined;
  const schema = response?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`The document has no schema for the success response of ${operation.id}.`);
  // The schema stands beside the components it refers to, as it does in the document.
  const { components } = document;
  // Loaded here: commands serve no responses.
  const { default: fastJsonStringify } =
    require('fast-json-stringify') as typeof import('fast-json-stringify');
  return fastJsonStringify(
    { $ref: 'document#/schema' },
    { schema: { document: { schema, components } as object as Schema } },
  );
}
