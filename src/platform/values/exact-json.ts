/** As ECMAScript's "JSON.parse source text access" has it; TypeScript's library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(this: void, text: string): object };

/**
 * JSON text of a value, integers of any size exactly: a `bigint` becomes the number it is. Members that are undefined are left
 * out.
 *
 * @param indent spaces an inner level is indented by; none puts everything on one line
 */
export function exactJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, exactMember, indent);
}

/** The replacer of `JSON.stringify` that writes a `bigint` as the number it is. */
export function exactMember(_name: string, member: unknown): unknown {
  return typeof member === 'bigint' ? rawJSON(String(member)) : member;
}
