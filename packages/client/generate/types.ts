import { type ApiDocument, nameOf, type Schema } from './document.ts';

/**
 * The type of the values of a schema.
 *
 * @param scope prefix of the names of types that are declared elsewhere
 */
export function typeOf(schema: Schema, scope = ''): string {
  const type = plainTypeOf(schema, scope);
  return schema.nullable ? `${type} | null` : type;
}

function plainTypeOf({ $ref, allOf, oneOf, anyOf, ...schema }: Schema, scope: string): string {
  if ($ref !== undefined) return scope + nameOf($ref);
  if (allOf) return allOf.map((part) => `(${typeOf(part, scope)})`).join(' & ');
  const either = oneOf ?? anyOf;
  if (either) return either.map((part) => `(${typeOf(part, scope)})`).join(' | ');
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null);
    return values.map((value) => JSON.stringify(value)).join(' | ');
  }
  switch (schema.type) {
    case 'integer':
      return schema.format === 'int64' ? 'bigint' : 'number';
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'number':
    case 'boolean':
      return schema.type;
    case 'array':
      return `(${typeOf(schema.items ?? {}, scope)})[]`;
    default:
      return schema.type === 'object' || schema.properties ? objectType(schema, scope) : 'unknown';
  }
}

function objectType(schema: Schema, scope: string): string {
  const { properties, additionalProperties: others } = schema;
  if (properties) return membersOf(schema, scope);
  return `Record<string, ${typeof others === 'object' ? typeOf(others, scope) : 'unknown'}>`;
}

/** The members of an object, in braces. */
export function membersOf({ properties = {}, required = [] }: Schema, scope = ''): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(member, scope);
    if (required.includes(name)) return `${commentOf(member)}${key}: ${type};`;
    return `${commentOf(member)}${key}?: ${type === 'unknown' ? type : `${type} | undefined`};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** The declaration of a named schema. */
export function declarationOf(name: string, schema: Schema): string {
  const isPlainObject =
    schema.properties && !schema.nullable && !schema.allOf && !schema.oneOf && !schema.anyOf;
  return isPlainObject
    ? `${commentOf(schema)}export interface ${name} ${membersOf(schema)}`
    : `${commentOf(schema)}export type ${name} = ${typeOf(schema)};`;
}

/** The comment that documents a type or a method. */
export function commentOf(
  { description, deprecated }: { readonly description?: string; readonly deprecated?: boolean },
  ...before: readonly string[]
): string {
  const lines = [...before, ...(deprecated ? [`@deprecated ${description ?? ''}`] : [description ?? ''])]
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => line.replaceAll('*/', '*\\/').trim());
  if (lines.length === 0) return '';
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

/** Every error code that the document has an example of, sorted. */
export function errorCodesOf(document: ApiDocument): string[] {
  const codes = new Set<string>();
  JSON.stringify(document.paths, (_name, value: unknown) => {
    const { code, message, status } = (value ?? {}) as {
      code?: unknown;
      message?: unknown;
      status?: unknown;
    };
    if (typeof code === 'string' && typeof message === 'string' && typeof status === 'number')
      codes.add(code);
    return value;
  });
  return [...codes].sort();
}
