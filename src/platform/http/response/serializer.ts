import type { OpenAPIObject } from '@nestjs/swagger';
import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import type { Operation } from '../operations/operation';
import { openapiPath, pathUnderBase } from '../../values/operation-path';

/** Turns what a handler answers into JSON text: documented members only, absent ones left out, int64 exact. */
export type Serializer = (value: unknown) => string;

/** Compiles the serialiser of an operation's success response from its schema in the document. */
export function compileSerializer(operation: Operation, document: OpenAPIObject): Serializer {
  const path = openapiPath(pathUnderBase(operation));
  const pathItem = document.paths[path] as Record<string, { responses: Record<string, unknown> }> | undefined;
  const response = pathItem?.[operation.method.toLowerCase()]?.responses[
    String(operation.response?.status)
  ] as { content?: Record<string, { schema?: object }> } | undefined;
  const schema = response?.content?.['application/json']?.schema;
  if (!schema) throw new Error(`The document has no schema for the success response of ${operation.id}.`);
  return fastJsonStringify(resolve(schema, document) as Schema);
}

/** What a schema says for people, and the compiler takes for faults. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['description', 'example']);

/** Puts the components where they are referred to: the compiler knows JSON Schema, not OpenAPI's components. */
function resolve(schema: unknown, document: OpenAPIObject): unknown {
  if (Array.isArray(schema)) return schema.map((item) => resolve(item, document));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as { $ref?: string };
  if ($ref) return resolve(document.components?.schemas?.[$ref.split('/').at(-1) as string], document);
  const keywords = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword));
  return Object.fromEntries(
    keywords.map(([keyword, value]) => [
      keyword,
      keyword === 'properties' ? resolveMembers(value as object, document) : resolve(value, document),
    ]),
  );
}

/** Its keys are names of members, which may be called as a keyword is. */
function resolveMembers(properties: object, document: OpenAPIObject): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, resolve(schema, document)]),
  );
}
