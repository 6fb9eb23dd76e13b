/** The function of ECMAScript's "JSON.parse source text access"; TypeScript's library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(this: void, text: string): object };

/**
 * Writes a value as JSON, integers of any size exactly: a `bigint` becomes the number it is. Members that are undefined are
 * left out.
 *
 * @param indent spaces an inner level is indented by; unset, everything is on one line
 */
export function exactJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, exactMember, indent);
}

/** Returns a copy that `JSON.stringify` writes as {@link exactJson} would, for a writer that knows no `bigint`. */
export function exactValue(value: object): object {
  return JSON.parse(exactJson(value), (_name, member: unknown, context?: { source: string }) =>
    typeof member === 'number' && context ? rawJSON(context.source) : member,
  ) as object;
}

/** Replaces a `bigint` by the number it is, for `JSON.stringify`. */
export function exactMember(_name: string, member: unknown): unknown {
  return typeof member === 'bigint' ? rawJSON(String(member)) : member;
}
