import { appearance, breaking, type Change, type Direction, harmless } from './change';
import { compareLimits, compareTypes } from './compare-values';
import { asList, asNode, membersOf, type Node, type OpenapiDocument } from './document-node';

/** Compares the schemas of two documents. */
export class SchemaComparison {
  /** Pairs being compared, so that schemas that contain themselves end. */
  private readonly open = new Set<string>();

  constructor(
    private readonly before: OpenapiDocument,
    private readonly after: OpenapiDocument,
  ) {}

  /** @param path leads to the value within the body or parameter, as `[].name`; empty for the whole */
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

  /** Each alternative that was accepted must fit one that is; each that clients get, one that they got. */
  private compareChoices(before: Node, after: Node, direction: Direction, at: string): Change[] {
    const [old, now] = [choicesOf(before), choicesOf(after)];
    if (!old && !now) return [];
    const fits = (from: unknown, to: unknown) =>
      this.compare(from, to, direction, at).every(({ severity }) => severity !== 'breaking');
    const [olds, nows] = [old ?? [before], now ?? [after]];
    if (direction === 'sent') {
      return olds
        .filter((one) => !nows.some((other) => fits(one, other)))
        .map((one) => breaking(at, `The alternative ${nameOf(one)} is accepted no more.`));
    }
    return nows
      .filter((one) => !olds.some((other) => fits(other, one)))
      .map((one) => breaking(at, `The alternative ${nameOf(one)} may come back now.`));
  }
}

function added(at: string, isRequired: boolean, direction: Direction): Change {
  return direction === 'sent' && isRequired
    ? breaking(at, 'The member is added, and is required.')
    : appearance(at, 'member', 'added');
}

function requirement(at: string, isRequired: boolean, direction: Direction): Change {
  const what = isRequired ? 'The member is required now.' : 'The member is required no more.';
  return isRequired === (direction === 'sent') ? breaking(at, what) : harmless(at, what);
}

/** Whether there may be members that the schema does not name. */
function compareOthers(before: Node, after: Node, direction: Direction, at: string): Change[] {
  const [was, is] = [before.additionalProperties !== false, after.additionalProperties !== false];
  if (was === is) return [];
  const what = is
    ? 'Members that are not named may be there now.'
    : 'Members that are not named are refused now.';
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

/** A schema with what it refers to and is made of (`allOf`) in one. */
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
