/**
 * Positions of the 64-bit integers in a JSON value: `true` is one, a text names a schema of {@link Shapes}, a list holds the
 * shape of its items, and an object that of each member; the member `*` stands for all others.
 */
export type Shape = true | string | readonly [Shape] | { readonly [member: string]: Shape };

/** Shapes of the schemas that hold 64-bit integers, by their names. */
export type Shapes = Readonly<Record<string, Shape>>;

/** Parts of `JSON` that TypeScript's library does not declare: they read and write the digits of a number. */
interface ExactJson {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source: string }) => unknown,
  ): unknown;
  rawJSON(digits: string): unknown;
}

const exact = JSON as unknown as ExactJson;

/**
 * Reads JSON with every 64-bit integer as a `bigint`, and every other number as a number.
 *
 * @throws SyntaxError
 */
export function readJson(text: string, shape: Shape | undefined, shapes: Shapes): unknown {
  const read = exact.parse(text, (_name, value, { source }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? (integerOf(source) ?? value) : value,
  );
  return convert(read, shape, shapes);
}

/**
 * Writes JSON with every `bigint` as an integer.
 *
 * @throws TypeError as {@link assertExact} does
 */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    assertExact(name, member);
    return typeof member === 'bigint' ? exact.rawJSON(`${member}`) : member;
  });
}

/** @throws TypeError for a number so large that JavaScript may have rounded it */
export function assertExact(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(`${name} is ${value}, and may have been rounded: give a bigint from 2^53 on.`);
  }
}

/** A number with a fraction or an exponent has no digits to keep. */
function integerOf(source: string): bigint | undefined {
  return /^-?\d+$/.test(source) ? BigInt(source) : undefined;
}

function convert(value: unknown, shape: Shape | undefined, shapes: Shapes): unknown {
  if (typeof shape === 'string') return convert(value, shapes[shape], shapes);
  if (typeof value === 'bigint') return shape === true ? value : Number(value);
  if (typeof value === 'number') return shape === true && Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const [name, member] of Object.entries(members)) {
    members[name] = convert(member, shapeOf(name, shape), shapes);
  }
  return value;
}

function shapeOf(name: string, shape: Shape | undefined): Shape | undefined {
  if (typeof shape !== 'object') return undefined;
  if (Array.isArray(shape)) return (shape as readonly Shape[])[0];
  const shapes = shape as Readonly<Record<string, Shape>>;
  return Object.hasOwn(shapes, name) ? shapes[name] : shapes['*'];
}
