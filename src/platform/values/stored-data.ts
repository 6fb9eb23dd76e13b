import type { Type } from '@nestjs/common';

/** Members that mark values without a form in JSON. */
const INT64 = '$int64';
const INSTANT = '$instant';

/**
 * Writes data as JSON, with `{"$int64":"7"}` for a `bigint` and `{"$instant":"2026-01-31T12:00:00.000Z"}` for a `Date`. Data are
 * strings, numbers, booleans, these two, arrays and plain objects of them. Members that are undefined are left out.
 */
export function writeData(data: unknown): string {
  return JSON.stringify(data, function (this: Record<string, unknown>, name: string, member: unknown) {
    if (typeof member === 'bigint') return { [INT64]: String(member) };
    // JSON.stringify has called toJSON() of a Date before it calls this.
    const before = this[name];
    return before instanceof Date ? { [INSTANT]: before.toISOString() } : member;
  });
}

/** Reads the JSON of {@link writeData}. */
export function readData(text: string): unknown {
  return JSON.parse(text, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null) return member;
    const { [INT64]: integer, [INSTANT]: instant } = member as Record<string, unknown>;
    if (typeof integer === 'string') return BigInt(integer);
    return typeof instant === 'string' ? new Date(instant) : member;
  }) as unknown;
}

/** Makes an object of a class with these members; its constructor does not run. */
export function instanceWith<Instance extends object>(type: Type<Instance>, members: object): Instance {
  return Object.assign(Object.create(type.prototype as object) as Instance, members);
}
