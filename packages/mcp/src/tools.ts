import { asList, asNode, membersOf, type Node, type OpenapiDocument } from './document.ts';

/** The facts needed to call one operation of the document. */
export interface OperationTool {
  /** The operationId. */
  readonly name: string;
  readonly description: string;
  /** `GET`, `POST` and the like. */
  readonly method: string;
  /** Path with `{name}` for its parameters: `/pets/{petId}`. */
  readonly path: string;
  /** Parameters of the path and of the query by their names. */
  readonly parameters: ReadonlyMap<string, 'path' | 'query'>;
  /** The media type of the body, if it has one. */
  readonly bodyType: string | undefined;
  /** True if it takes an `Idempotency-Key`. */
  readonly isIdempotent: boolean;
  readonly writes: boolean;
  /** JSON Schema of the arguments: one for each parameter, and `body`. */
  readonly inputSchema: ToolSchema;
}

/** A JSON Schema of an object, as the Model Context Protocol requires it for a tool. */
export interface ToolSchema {
  readonly type: 'object';
  readonly properties: Record<string, Node>;
  readonly required: string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Members of a schema that do not help callers, or that clients of the protocol do not know. */
const LEFT_OUT = new Set(['example', 'examples', 'title', 'xml', 'nullable', 'externalDocs', 'readOnly']);

/** Depth below which schemas are cut: a schema may contain itself. */
const DEEPEST = 6;

/** Creates a tool for each operation that takes an API key, in the order of the document. */
export function toolsOf(document: OpenapiDocument): OperationTool[] {
  const tools: OperationTool[] = [];
  for (const [path, item] of membersOf(document.root.paths)) {
    for (const method of METHODS) {
      const operation = document.resolve(asNode(item)[method]);
      const isPublic = asList(operation.security ?? document.root.security).length === 0;
      if (typeof operation.operationId !== 'string' || isPublic) continue;
      const shared = asList(asNode(item).parameters);
      tools.push(toolOf(document, { path, method, operation, shared }));
    }
  }
  return tools;
}

interface Found {
  readonly path: string;
  readonly method: string;
  readonly operation: Node;
  /** Parameters that all operations of the path share. */
  readonly shared: readonly unknown[];
}

function toolOf(document: OpenapiDocument, { path, method, operation, shared }: Found): OperationTool {
  const parameters = new Map<string, 'path' | 'query'>();
  const inputSchema: ToolSchema = { type: 'object', properties: {}, required: [] };
  let isIdempotent = false;
  for (const reference of [...shared, ...asList(operation.parameters)]) {
    const parameter = document.resolve(reference);
    const name = String(parameter.name);
    if (parameter.in === 'header') isIdempotent ||= name.toLowerCase() === 'idempotency-key';
    if (parameter.in !== 'path' && parameter.in !== 'query') continue;
    parameters.set(name, parameter.in);
    const { description } = parameter;
    inputSchema.properties[name] = {
      ...plainSchema(document, parameter.schema),
      ...(description !== undefined && { description }),
    };
    if (parameter.required === true) inputSchema.required.push(name);
  }
  const [bodyType, body] = bodyOf(document, operation);
  if (body) {
    inputSchema.properties.body = body;
    inputSchema.required.push('body');
  }
  return {
    name: String(operation.operationId),
    description: descriptionOf(operation),
    method: method.toUpperCase(),
    path,
    parameters,
    bodyType,
    isIdempotent,
    writes: method !== 'get',
    inputSchema,
  };
}

/** Most characters of a description: every client reads all tools before the first call. */
const MAX_DESCRIPTION = 300;

/** The summary and the sentences behind it that there is room for. */
function descriptionOf({ summary, description, deprecated }: Node): string {
  const sentences = [deprecated === true ? 'Deprecated.' : '', sentence(summary)];
  for (const next of typeof description === 'string' ? description.split(/(?<=[.!?])\s+/) : []) {
    if ([...sentences, next].join(' ').length > MAX_DESCRIPTION) break;
    sentences.push(next);
  }
  return sentences.filter((text) => text !== '').join(' ');
}

function sentence(summary: unknown): string {
  return typeof summary === 'string' && summary !== '' ? summary.replace(/\.?$/, '.') : '';
}

function bodyOf(document: OpenapiDocument, operation: Node): [string, Node] | [undefined, undefined] {
  const content = membersOf(document.resolve(operation.requestBody).content);
  const [type] = [...content.keys()].filter((name) => /^application\/(.+\+)?json$/.test(name));
  if (type === undefined) return [undefined, undefined];
  return [type, plainSchema(document, asNode(content.get(type)).schema)];
}

/**
 * Returns a schema without references, as short as possible: every client reads all tools before the first call. A 64-bit
 * integer may also be a string, because clients read JSON numbers as doubles.
 */
function plainSchema(document: OpenapiDocument, value: unknown, depth = 0): Node {
  const schema = document.resolve(value);
  if (depth > DEEPEST) return {};
  const plain: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema)) {
    if (LEFT_OUT.has(name)) continue;
    if (name === 'properties') plain.properties = plainProperties(document, member, depth);
    else if (name === 'items' || name === 'additionalProperties') {
      plain[name] = typeof member === 'boolean' ? member : plainSchema(document, member, depth + 1);
    } else if (name === 'allOf' || name === 'anyOf' || name === 'oneOf') {
      plain[name] = asList(member).map((part) => plainSchema(document, part, depth + 1));
    } else if (name !== 'description' || depth < 2) plain[name] = member;
  }
  if (isInt64(schema)) {
    plain.type = ['integer', 'string'];
    delete plain.minimum;
    delete plain.maximum;
  }
  if (schema.nullable === true && plain.type !== undefined) plain.type = [plain.type, 'null'].flat();
  return plain;
}

function plainProperties(document: OpenapiDocument, properties: unknown, depth: number): Node {
  const members = [...membersOf(properties)].filter(
    ([, member]) => document.resolve(member).readOnly !== true,
  );
  return Object.fromEntries(
    members.map(([name, member]) => [name, plainSchema(document, member, depth + 1)]),
  );
}

/** True of the schema of a 64-bit integer, in the document or as an argument of a tool. */
export function isInt64({ format }: Node): boolean {
  return format === 'int64';
}
