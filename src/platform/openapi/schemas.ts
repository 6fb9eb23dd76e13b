/** A schema, with the members that matter here. */
export interface Schema {
  $ref?: string;
  type?: string;
  enum?: (string | null)[];
  nullable?: boolean;
  default?: unknown;
  items?: Schema;
  allOf?: Schema[];
  description?: string;
  example?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
}

/** Returns a reference to a named schema. */
export function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the name of the schema that a reference leads to. */
function refName(ref: string): string {
  return ref.split('/').at(-1) as string;
}

/**
 * Corrects the generator's schemas: an enum member becomes a plain reference unless it can be null or has a default, its
 * description and example move to the named enum, and every object gets an example built from those of its members.
 */
export function finishSchemas(schemas: Record<string, Schema>): void {
  for (const schema of Object.values(schemas)) {
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      describeEnumOfItems(property, schemas);
      const [target] = property.allOf ?? [];
      if (!target?.$ref) continue;
      const named = schemas[refName(target.$ref)] as Schema;
      named.description ??= property.description ?? '';
      named.example ??= property.example;
      const isMore = property.nullable === true || property.default !== undefined;
      (schema.properties as Record<string, Schema>)[member] = isMore
        ? inFull(named, property)
        : { $ref: target.$ref };
    }
  }
  for (const schema of Object.values(schemas)) {
    if (schema.properties) schema.example = exampleOf(schema, schemas);
  }
}

/** Gives an enum that only arrays use the first item of their example: it has no example of its own. */
function describeEnumOfItems({ items, example }: Schema, schemas: Record<string, Schema>): void {
  const named = items?.$ref === undefined ? undefined : schemas[refName(items.$ref)];
  if (named?.enum && Array.isArray(example)) named.example ??= example[0] as unknown;
}

/** Writes an enum in full: OpenAPI 3.0 allows no member beside a reference, and an enum has to list null itself. */
function inFull({ type, enum: values = [] }: Schema, property: Schema): Schema {
  const { description, example, nullable, default: unlessGiven } = property;
  return {
    type,
    description,
    enum: nullable ? [...values, null] : values,
    ...(nullable && { nullable }),
    ...(unlessGiven !== undefined && { default: unlessGiven }),
    example,
  };
}

/**
 * Returns an example of a schema, built from those of its parts; undefined when a necessary one is missing.
 *
 * @param within the named schemas around this one, because a schema may contain itself
 */
export function exampleOf(
  schema: Schema,
  schemas: Record<string, Schema>,
  within: readonly string[] = [],
): unknown {
  if (schema.$ref) {
    const name = refName(schema.$ref);
    return within.includes(name) ? undefined : exampleOf(schemas[name] as Schema, schemas, [...within, name]);
  }
  if (!schema.properties) return schema.example;
  const members = Object.entries(schema.properties).map(
    ([member, property]) => [member, exampleOf(property, schemas, within)] as const,
  );
  const given = members.filter(([, example]) => example !== undefined);
  const isWhole = schema.required?.every((name) => given.some(([member]) => member === name)) ?? true;
  return isWhole ? Object.fromEntries(given) : undefined;
}

/** Returns the first member that a body must have; undefined where it may be empty. */
export function requiredMember(
  schema: Schema | undefined,
  schemas: Record<string, Schema>,
): string | undefined {
  return (schema?.$ref ? schemas[refName(schema.$ref)] : schema)?.required?.[0];
}

/** Returns the same object with its members in this order, and after them the others by name. */
export function inOrder<T extends object>(object: T, names: readonly string[]): T {
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  const members = Object.entries(object).sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
  return Object.fromEntries(members) as T;
}
