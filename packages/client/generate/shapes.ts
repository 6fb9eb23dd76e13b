import type { Shape } from '../src/exact-json.ts';
import { type ApiDocument, nameOf, type Schema } from './document.ts';

/** The shapes of all named schemas that hold 64-bit integers. */
export function shapesOf({ components: { schemas } }: ApiDocument): Map<string, Shape> {
  // Every schema is assumed to have a shape until none is found in it; schemas that name each other need several rounds.
  let names = new Set(Object.keys(schemas));
  for (;;) {
    const shapes = new Map<string, Shape>();
    for (const name of names) {
      const shape = shapeOf(schemas[name] as Schema, names);
      if (shape !== undefined) shapes.set(name, shape);
    }
    if (shapes.size === names.size) return shapes;
    names = new Set(shapes.keys());
  }
}

/** @param names the schemas that have a shape */
export function shapeOf(schema: Schema, names: ReadonlySet<string>): Shape | undefined {
  if (schema.$ref !== undefined) return names.has(nameOf(schema.$ref)) ? nameOf(schema.$ref) : undefined;
  const parts = schema.allOf ?? schema.oneOf ?? schema.anyOf;
  if (parts) return merged(parts.flatMap((part) => shapeOf(part, names) ?? []));
  if (schema.type === 'integer') return schema.format === 'int64' ? true : undefined;
  if (schema.type === 'array') {
    const items = shapeOf(schema.items ?? {}, names);
    return items === undefined ? undefined : [items];
  }
  const { additionalProperties: others } = schema;
  const members = { ...schema.properties, ...(typeof others === 'object' && { '*': others }) };
  const shapes = Object.entries(members).flatMap(([name, member]) => {
    const shape = shapeOf(member, names);
    return shape === undefined ? [] : [[name, shape] as const];
  });
  return shapes.length > 0 ? Object.fromEntries(shapes) : undefined;
}

/** Merges the members of schemas; if one of several shapes is a name, it stands for them all. */
function merged(shapes: readonly Shape[]): Shape | undefined {
  if (shapes.length < 2) return shapes[0];
  if (shapes.some((shape) => typeof shape !== 'object' || Array.isArray(shape))) {
    throw new Error(
      `The client cannot tell which of several schemas with 64-bit integers a value has: ${JSON.stringify(shapes)}.`,
    );
  }
  return Object.assign({}, ...(shapes as object[])) as Shape;
}
