import type { ValidationError } from 'class-validator';

/**
 * What is wrong with a member, in one sentence that names it: that it is required when it is missing, what its rule says
 * otherwise.
 *
 * @param given the members before class-transformer changed them, which may make undefined of a value
 */
export function faultSentence(
  { property, constraints }: ValidationError,
  given: Readonly<Record<string, unknown>>,
): string {
  if (given[property] === undefined) return `${property} is required.`;
  return Object.values(constraints ?? {})[0] ?? `${property} has an invalid value.`;
}
