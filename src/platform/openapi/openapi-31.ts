import type { OpenAPIObject } from '@nestjs/swagger';

type Node = Readonly<Record<string, unknown>>;

/** Members whose values are data: an object in them that looks like a schema is not one. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'value']);

/** Keywords of a schema whose value is one schema, a list of schemas, or schemas by name. */
const ONE: ReadonlySet<string> = new Set(['items', 'not', 'additionalProperties']);
const LIST: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const NAMED: ReadonlySet<string> = new Set(['properties']);

/**
 * Converts the document to OpenAPI 3.1, for tools that want its schemas as JSON Schema. Also names the scopes of each
 * operation, which 3.0 allows only for other kinds of security.
 *
 * @param document in OpenAPI 3.0; not changed
 * @param scopesOf returns the scopes that an operation needs, by its operationId
 */
export function openapi31(
  document: OpenAPIObject,
  scopesOf: (operationId: string) => readonly string[],
): OpenAPIObject {
  const { paths, components, ...rest } = document;
  const { schemas = {}, ...otherComponents } = components ?? {};
  return {
    ...rest,
    openapi: '3.1.0',
    paths: mapped(paths, (item) => mapped(item as Node, (member) => operation31(member, scopesOf))),
    components: { schemas: mapped(schemas, schema31), ...(converted(otherComponents) as object) },
  } as OpenAPIObject;
}

function operation31(value: unknown, scopesOf: (operationId: string) => readonly string[]): unknown {
  const operation = converted(value);
  if (!isNode(operation) || !Array.isArray(operation['security'])) return operation;
  const scopes = scopesOf(operation['operationId'] as string);
  return { ...operation, security: operation['security'].map((one: Node) => mapped(one, () => scopes)) };
}

/** Converts any part of a document outside its schemas. */
function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (!isNode(value)) return value;
  return mapped(value, (member, name) => {
    if (DATA.has(name)) return member;
    return name === 'schema' ? schema31(member) : converted(member);
  });
}

function schema31(value: unknown): unknown {
  if (!isNode(value)) return value;
  const { nullable, example, exclusiveMinimum, exclusiveMaximum, ...others } = value;
  const schema: Record<string, unknown> = mapped(others, (member, name) => {
    if (ONE.has(name)) return schema31(member);
    if (LIST.has(name)) return (member as unknown[]).map(schema31);
    return NAMED.has(name) ? mapped(member as Node, schema31) : member;
  });
  // In 3.0 these say whether the limit itself is excluded; in 3.1 they are the limit.
  if (exclusiveMinimum === true) {
    schema['exclusiveMinimum'] = schema['minimum'];
    delete schema['minimum'];
  }
  if (exclusiveMaximum === true) {
    schema['exclusiveMaximum'] = schema['maximum'];
    delete schema['maximum'];
  }
  if (example !== undefined) schema['examples'] = [example];
  if (schema['format'] === 'binary') {
    schema['contentMediaType'] = 'application/octet-stream';
    delete schema['format'];
  }
  if (nullable !== true) return schema;
  if (schema['type'] !== undefined) return { ...schema, type: [schema['type'], 'null'] };
  // A schema without a type describes its values by other schemas, none of which allows null.
  const { description, examples, ...rest } = schema;
  return {
    ...(description !== undefined && { description }),
    anyOf: [rest, { type: 'null' }],
    ...(examples !== undefined && { examples }),
  };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapped<Value>(
  node: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, map(value, name)]));
}
