import { appearance, breaking, type Change, type Direction, harmless } from './change';
import { asList, asNode, membersOf, type Node, type OpenapiDocument } from './document-node';

const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const FORMS = ['format', 'pattern', 'multipleOf', 'uniqueItems', 'not'];

/** Compares the schemas of two documents. */
export class SchemaComparison {
  /** Pairs being compared, so that recursion into schemas that contain themselves ends. */
  private readonly open = new Set<string>();

  constructor(
    private readonly before: OpenapiDocument,
    private readonly after: OpenapiDocument,
  ) {}

  /** @param path the path to the value within the body or parameter, as `[].name`; empty for the whole */
  compare(from: unknown, to: unknown, direction: Direction, where: string, path = ''): Change[] {
    const pair = `${referenceOf(from)} ${referenceOf(to)} ${direction}`;
    const isNamed = referenceOf(from) !== '' && referenceOf(to) !== '';
    if (isNamed && this.open.has(pair)) return [];
    this.open.add(pair);
    const before = flat(this.before, from);
    const after = flat(this.after, to);
    const at = path === '' ? where : `${where}, ${path}`;
    const changes = [
      ...compareTypes(before, after, direction, at),
      ...compareLimits(before, after, direction, at),
      ...this.compareMembers(before, after, direction, where, path),
      ...this.compareItems(before, after, direction, where, path),
      ...this.compareChoices(before, after, direction, at),
    ];
    this.open.delete(pair);
    return changes;
  }

  private compareMembers(before: Node, after: Node, direction: Direction, where: string, path: string) {
    const [old, now] = [membersOf(before.properties), membersOf(after.properties)];
    const [oldRequired, nowRequired] = [asList(before.required), asList(after.required)];
    const changes: Change[] = [];
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const member = path === '' ? name : `${path}.${name}`;
      const at = `${where}, ${member}`;
      const [was, is] = [oldRequired.includes(name), nowRequired.includes(name)];
      if (!now.has(name)) changes.push(appearance(at, 'member', 'removed'));
      else if (!old.has(name)) changes.push(added(at, is, direction));
      else {
        if (was !== is) changes.push(requirement(at, is, direction));
        changes.push(...this.compare(old.get(name), now.get(name), direction, where, member));
      }
    }
    return [
      ...changes,
      ...compareOthers(before, after, direction, path === '' ? where : `${where}, ${path}`),
    ];
  }

  private compareItems(before: Node, after: Node, direction: Direction, where: string, path: string) {
    if (before.items === undefined || after.items === undefined) return [];
    return this.compare(before.items, after.items, direction, where, `${path}[]`);
  }

  /**
   * Compares alternatives: each that was accepted must fit one that is accepted now; each that clients receive now must fit one
   * that they received before.
   */
  private compareChoices(before: Node, after: Node, direction: Direction, at: string): Change[] {
    const [old, now] = [choicesOf(before), choicesOf(after)];
    if (!old && !now) return [];
    const fits = (from: unknown, to: unknown) =>
      this.compare(from, to, direction, at).every(({ severity }) => severity !== 'breaking');
    const [olds, nows] = [old ?? [before], now ?? [after]];
    if (direction === 'sent') {
      return olds
        .filter((one) => !nows.some((other) => fits(one, other)))
        .map((one) => breaking(at, `The alternative ${nameOf(one)} is no longer accepted.`));
    }
    return nows
      .filter((one) => !olds.some((other) => fits(other, one)))
      .map((one) => breaking(at, `The alternative ${nameOf(one)} may now be returned.`));
  }
}

/** Compares types and enumerated values as sets of allowed values. */
function compareTypes(before: Node, after: Node, direction: Direction, at: string): Change[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  const changes = compareSets(old, now, covers, direction, at, 'type');
  const [oldValues, nowValues] = [valuesOf(before), valuesOf(after)];
  if (!oldValues && !nowValues) return changes;
  if (!oldValues || !nowValues) {
    const isNarrower = nowValues !== undefined;
    const what = isNarrower ? `Only ${nowValues.join(', ')} remain.` : 'Any value is now possible.';
    return [...changes, changeOf(isNarrower, direction, at, what)];
  }
  return [...changes, ...compareSets(oldValues, nowValues, Object.is, direction, at, 'value')];
}

/** Compares limits of numbers and lengths, and formats of texts. */
function compareLimits(before: Node, after: Node, direction: Direction, at: string): Change[] {
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
    // A different form is narrower and wider at once.
    const isBreaking =
      was !== undefined && is !== undefined ? true : (is !== undefined) === (direction === 'sent');
    changes.push(isBreaking ? breaking(at, what) : harmless(at, what));
  }
  // Clients that omit the value get a different one.
  if (direction === 'sent' && JSON.stringify(before.default) !== JSON.stringify(after.default)) {
    changes.push(breaking(at, transition('default', before.default, after.default)));
  }
  return changes;
}

/** A narrower schema breaks clients that send, a wider one breaks clients that receive. */
function changeOf(isNarrower: boolean, direction: Direction, at: string, what: string): Change {
  return isNarrower === (direction === 'sent') ? breaking(at, what) : harmless(at, what);
}

/** @param includes returns true if the first value allows everything that the second allows */
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
    ...gone.map((one) => changeOf(true, direction, at, `The ${noun} ${one} was removed.`)),
    ...come.map((one) => changeOf(false, direction, at, `The ${noun} ${one} is now possible.`)),
  ];
}

/** Every type a schema allows; a schema without a type allows all of them. */
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
  if (was === undefined) return `Its ${name} is now ${JSON.stringify(is)}; it was not set before.`;
  if (is === undefined) return `Its ${name} is no longer set; it was ${JSON.stringify(was)}.`;
  return `Its ${name} is now ${JSON.stringify(is)}; it was ${JSON.stringify(was)}.`;
}

function added(at: string, isRequired: boolean, direction: Direction): Change {
  return direction === 'sent' && isRequired
    ? breaking(at, 'The member is added, and is required.')
    : appearance(at, 'member', 'added');
}

function requirement(at: string, isRequired: boolean, direction: Direction): Change {
  const what = isRequired ? 'The member is now required.' : 'The member is no longer required.';
  return isRequired === (direction === 'sent') ? breaking(at, what) : harmless(at, what);
}

/** Compares whether members that the schema does not name are allowed. */
function compareOthers(before: Node, after: Node, direction: Direction, at: string): Change[] {
  const [was, is] = [before.additionalProperties !== false, after.additionalProperties !== false];
  if (was === is) return [];
  const what = is
    ? 'Members that are not declared are now allowed.'
    : 'Members that are not declared are now refused.';
  return [direction === 'sent' && !is ? breaking(at, what) : harmless(at, what)];
}

function referenceOf(schema: unknown): string {
  const { $ref } = asNode(schema);
  return typeof $ref === 'string' ? $ref : '';
}

function nameOf(schema: unknown): string {
  const { title, type } = asNode(schema);
  const name = referenceOf(schema).split('/').at(-1) ?? '';
  return name || (typeof title === 'string' ? title : typeof type === 'string' ? type : 'without a name');
}

function choicesOf({ oneOf, anyOf }: Node): readonly unknown[] | undefined {
  const choices = oneOf ?? anyOf;
  return choices === undefined ? undefined : asList(choices);
}

/** Merges a schema with what it refers to and is composed of (`allOf`). */
function flat(document: OpenapiDocument, value: unknown): Node {
  const { allOf, ...own } = document.resolve(value);
  return asList(allOf)
    .map((part) => flat(document, part))
    .reduce<Node>(
      (whole, part) => ({
        ...part,
        ...whole,
        ...((whole.properties ?? part.properties) !== undefined && {
          properties: { ...asNode(part.properties), ...asNode(whole.properties) },
        }),
        ...((whole.required ?? part.required) !== undefined && {
          required: [...asList(part.required), ...asList(whole.required)],
        }),
      }),
      own,
    );
}
