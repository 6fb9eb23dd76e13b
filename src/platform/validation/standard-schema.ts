import type { ArgumentMetadata } from '@nestjs/common';

/** A schema of a library that implements Standard Schema (standardschema.dev): zod, valibot, arktype and others. */
export type StandardSchema = NonNullable<ArgumentMetadata['schema']>;

/** A fault that such a schema finds in a value. */
export type SchemaIssue = NonNullable<
  Awaited<ReturnType<StandardSchema['~standard']['validate']>>['issues']
>[number];

/** A schema of JSON Schema or OpenAPI. */
type JsonSchema = Readonly<Record<string, unknown>>;

type Direction = 'input' | 'output';

/** Members that a library adds to schemas that can write themselves as JSON Schema (Standard JSON Schema). */
type Converter = Readonly<
  Record<Direction, (options: { readonly target: string; readonly libraryOptions?: object }) => JsonSchema>
>;

/** Makes zod and valibot leave out types that JSON Schema cannot express, such as dates, where they would fail. */
const LENIENT = { unrepresentable: 'any', errorMode: 'ignore' };

const TARGETS = [
  { target: 'openapi-3.0' },
  { target: 'openapi-3.0', libraryOptions: LENIENT },
  { target: 'draft-2020-12', libraryOptions: LENIENT },
];

/**
 * Returns a schema that @nestjs/swagger can document: the same one if it can, otherwise one that inherits from it.
 * @nestjs/swagger takes no functions, which arktype's schemas are, and asks in one dialect only.
 */
export function documentable<Schema extends object>(schema: Schema): Schema {
  const standard = (schema as StandardSchema)['~standard'] as StandardSchema['~standard'] & {
    jsonSchema?: Converter;
  };
  if (typeof schema === 'object' && standard.jsonSchema && converts(standard.jsonSchema)) return schema;
  const jsonSchema = {
    input: () => openapiSchema(schema, 'input'),
    output: () => openapiSchema(schema, 'output'),
  };
  return Object.create(schema, { '~standard': { value: { ...standard, jsonSchema } } }) as Schema;
}

/**
 * Returns the names of the members of the objects a schema takes, and of those that are lists; empty if the schema does not
 * say.
 */
export function schemaMembers(schema: StandardSchema): {
  readonly names: string[];
  readonly lists: string[];
} {
  const properties = Object.entries((openapiSchema(schema, 'input')['properties'] ?? {}) as JsonSchema);
  return {
    names: properties.map(([name]) => name),
    lists: properties.filter(([, property]) => takesList(property)).map(([name]) => name),
  };
}

/** Tells whether a schema takes an array, alone or among other types. */
export function isListSchema(schema: StandardSchema): boolean {
  return takesList(openapiSchema(schema, 'input'));
}

function takesList(schema: unknown): boolean {
  const { type, anyOf, oneOf } = schema as JsonSchema;
  return type === 'array' || [anyOf, oneOf].flat().some((one) => one !== undefined && takesList(one));
}

function converts(converter: Converter): boolean {
  try {
    converter.input({ target: 'openapi-3.0' });
    converter.output({ target: 'openapi-3.0' });
    return true;
  } catch {
    return false;
  }
}

/** Returns a schema in OpenAPI 3.0, as far as its library describes it. */
function openapiSchema(schema: object, direction: Direction): JsonSchema {
  const { jsonSchema } = (schema as StandardSchema)['~standard'] as { jsonSchema?: Converter };
  for (const options of jsonSchema ? TARGETS : []) {
    try {
      const written = (jsonSchema as Converter)[direction](options);
      return options.target === 'openapi-3.0' ? written : (inOpenapi30(written) as JsonSchema);
    } catch {
      // The library does not know this dialect.
    }
  }
  return byNames(schema);
}

/** Returns the members alone, of a schema that cannot write itself: valibot has them as `entries`, zod as `shape`. */
function byNames(schema: object): JsonSchema {
  const { entries, shape } = schema as { entries?: object; shape?: object };
  const members = Object.entries(entries ?? shape ?? {}).map(
    ([name, member]: [string, { type?: string; wrapped?: { type?: string } }]) => [
      name,
      (member.wrapped ?? member).type === 'array' ? { type: 'array', items: {} } : {},
    ],
  );
  return members.length > 0 ? { type: 'object', properties: Object.fromEntries(members) } : {};
}

/** Converts JSON Schema to OpenAPI 3.0: excluded limits, and null. */
function inOpenapi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOpenapi30);
  if (typeof value !== 'object' || value === null) return value;
  const { type, anyOf, exclusiveMinimum, exclusiveMaximum, ...others } = value as JsonSchema;
  const schema = Object.fromEntries(
    Object.entries(others).map(([name, member]) => [
      name,
      name === 'enum' || name === 'const' || name === 'default' ? member : inOpenapi30(member),
    ]),
  );
  if (typeof exclusiveMinimum === 'number') {
    Object.assign(schema, { minimum: exclusiveMinimum, exclusiveMinimum: true });
  }
  if (typeof exclusiveMaximum === 'number') {
    Object.assign(schema, { maximum: exclusiveMaximum, exclusiveMaximum: true });
  }
  const choices = [type].flat().filter((one) => one !== 'null');
  const options = [anyOf].flat().filter((one) => one !== undefined && !isNull(one));
  if ([type].flat().includes('null') || [anyOf].flat().some(isNull)) schema['nullable'] = true;
  if (choices.length === 1 && choices[0] !== undefined) schema['type'] = choices[0];
  if (choices.length > 1) schema['anyOf'] = choices.map((one) => ({ type: one }));
  if (options.length === 1) Object.assign(schema, inOpenapi30(options[0]));
  if (options.length > 1) schema['anyOf'] = options.map(inOpenapi30);
  return schema;
}

function isNull(schema: unknown): boolean {
  const { type, const: only } = (schema ?? {}) as JsonSchema;
  return type === 'null' || only === null;
}
