import { breaking, type Change, type Direction, harmless } from './change';
import { asList, type Node } from './document-node';

const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const FORMS = ['format', 'pattern', 'multipleOf', 'uniqueItems', 'not'];

/** Types and enumerated values: the sets of what may be there. */
export function compareTypes(before: Node, after: Node, direction: Direction, at: string): Change[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  const changes = compareSets(old, now, covers, direction, at, 'type');
  const [oldValues, nowValues] = [valuesOf(before), valuesOf(after)];
  if (!oldValues && !nowValues) return changes;
  if (!oldValues || !nowValues) {
    const isNarrower = nowValues !== undefined;
    const what = isNarrower ? `Only ${nowValues.join(', ')} are left.` : 'Any value may be there now.';
    return [...changes, changeOf(isNarrower, direction, at, what)];
  }
  return [...changes, ...compareSets(oldValues, nowValues, Object.is, direction, at, 'value')];
}

/** Limits of numbers and lengths, and forms of texts. */
export function compareLimits(before: Node, after: Node, direction: Direction, at: string): Change[] {
  const changes: Change[] = [];
  for (const [names, infinity] of [
    [UPPER, Infinity],
    [LOWER, -Infinity],
  ] as const) {
    for (const name of names) {
      const [was, is] = [before[name], after[name]];
      if (was === is) continue;
      const [old, now] = [was, is].map((limit) => (typeof limit === 'number' ? limit : infinity));
      const isNarrower = infinity > 0 ? (now as number) < (old as number) : (now as number) > (old as number);
      changes.push(changeOf(isNarrower, direction, at, transition(name, was, is)));
    }
  }
  for (const name of FORMS) {
    const [was, is] = [before[name], after[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const what = transition(name, was, is);
    // Another form than before is narrower and wider at once.
    const isBreaking =
      was !== undefined && is !== undefined ? true : (is !== undefined) === (direction === 'sent');
    changes.push(isBreaking ? breaking(at, what) : harmless(at, what));
  }
  // Clients that leave it out get something else.
  if (direction === 'sent' && JSON.stringify(before.default) !== JSON.stringify(after.default)) {
    changes.push(breaking(at, transition('default', before.default, after.default)));
  }
  return changes;
}

/** What is narrower hurts who sends, what is wider who gets. */
function changeOf(isNarrower: boolean, direction: Direction, at: string, what: string): Change {
  return isNarrower === (direction === 'sent') ? breaking(at, what) : harmless(at, what);
}

/** @param includes whether the first stands for all that the second stands for */
function compareSets(
  old: readonly string[],
  now: readonly string[],
  includes: (wide: string, narrow: string) => boolean,
  direction: Direction,
  at: string,
  noun: string,
): Change[] {
  const gone = old.filter((one) => !now.some((other) => includes(other, one)));
  const come = now.filter((one) => !old.some((other) => includes(other, one)));
  return [
    ...gone.map((one) => changeOf(true, direction, at, `The ${noun} ${one} is there no more.`)),
    ...come.map((one) => changeOf(false, direction, at, `The ${noun} ${one} may be there now.`)),
  ];
}

/** Every type a schema allows; one that names none allows them all. */
function typesOf({ type, nullable, properties }: Node): string[] {
  const named = typeof type === 'string' ? [type] : asList(type).map(String);
  const types = named.length > 0 ? named : [properties === undefined ? 'any' : 'object'];
  return nullable === true ? [...types, 'null'] : types;
}

function covers(wide: string, narrow: string): boolean {
  return wide === narrow || wide === 'any' || (wide === 'number' && narrow === 'integer');
}

function valuesOf({ enum: values, const: only }: Node): string[] | undefined {
  if (only !== undefined) return [JSON.stringify(only)];
  return values === undefined ? undefined : asList(values).map((value) => JSON.stringify(value));
}

function transition(name: string, was: unknown, is: unknown): string {
  if (was === undefined) return `Its ${name} is ${JSON.stringify(is)} now; before it had none.`;
  if (is === undefined) return `It has no ${name} any more; it was ${JSON.stringify(was)}.`;
  return `Its ${name} is ${JSON.stringify(is)} now; it was ${JSON.stringify(was)}.`;
}
