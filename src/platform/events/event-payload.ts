import type { Type } from '@nestjs/common';

/** Members that mark values without a form in JSON. */
const INT64 = '$int64';
const INSTANT = '$instant';

/**
 * Writes an event as JSON, with `{"$int64":"7"}` for a `bigint` and `{"$instant":"2026-01-31T12:00:00.000Z"}` for a `Date`. An
 * event is data: strings, numbers, booleans, these two, arrays and plain objects of them. Members that are undefined are left
 * out.
 */
export function writeEvent(event: object): string {
  return JSON.stringify(event, function (this: Record<string, unknown>, name: string, member: unknown) {
    if (typeof member === 'bigint') return { [INT64]: String(member) };
    // JSON.stringify has called toJSON() of a Date before it calls this.
    const before = this[name];
    return before instanceof Date ? { [INSTANT]: before.toISOString() } : member;
  });
}

/** Reads the JSON of {@link writeEvent} as an object of the class; its constructor does not run. */
export function readEvent<Event extends object>(text: string, event: Type<Event>): Event {
  const members = JSON.parse(text, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null) return member;
    const { [INT64]: integer, [INSTANT]: instant } = member as Record<string, unknown>;
    if (typeof integer === 'string') return BigInt(integer);
    return typeof instant === 'string' ? new Date(instant) : member;
  }) as object;
  return Object.assign(Object.create(event.prototype as object) as Event, members);
}
