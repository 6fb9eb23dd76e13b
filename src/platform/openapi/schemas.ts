/** A schema as far as this step looks into it. */
export interface Schema {
  $ref?: string;
  type?: string;
  enum?: (string | null)[];
  nullable?: boolean;
  items?: Schema;
  allOf?: Schema[];
  description?: string;
  example?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
}

/** A reference to a named schema. */
export function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name a reference leads to. */
function refName(ref: string): string {
  return ref.split('/').at(-1) as string;
}

/**
 * Mends what the generator makes of schemas: an enum member becomes a plain reference, its description and example move to
 * the named enum, and every object gets an example made of its members'.
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
      (schema.properties as Record<string, Schema>)[member] = property.nullable
        ? orNull(named, property)
        : { $ref: target.$ref };
    }
  }
  for (const schema of Object.values(schemas)) {
    if (schema.properties) schema.example = exampleOf(schema, schemas);
  }
}

/** An enum that is in arrays only has no example of its own. */
function describeEnumOfItems({ items, example }: Schema, schemas: Record<string, Schema>): void {
  const named = items?.$ref === undefined ? undefined : schemas[refName(items.$ref)];
  if (named?.enum && Array.isArray(example)) named.example ??= example[0] as unknown;
}

/** OpenAPI 3.0 lets nothing stand beside a reference, and an enum has to list null itself. */
function orNull({ type, enum: values = [] }: Schema, { description, example }: Schema): Schema {
  return { type, description, enum: [...values, null], nullable: true, example };
}

/**
 * An example of a schema, made of its parts' examples; undefined when one that it needs is missing.
 *
 * @param within the named schemas it is part of, for one may contain itself
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

/** The same object with its members in this order, and after them those it does not name, by name. */
export function inOrder<T extends object>(object: T, names: readonly string[]): T {
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  const members = Object.entries(object).sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
  return Object.fromEntries(members) as T;
}
