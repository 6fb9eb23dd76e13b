import ts from 'typescript';
import { decoratorName, decoratorsOf } from '../edit/classes.ts';
import { memberIn } from '../edit/literals.ts';
import { nodesOf } from '../text/sources.ts';
import { type ExistingModule, type StoredMember, storedMembers } from '../module/existing-module.ts';
import { Refusal } from '../refusal.ts';

/** An index that an entity declares. */
export interface DeclaredIndex {
  readonly name: string;
  /** The members it covers, in order. */
  readonly members: readonly string[];
  readonly isUnique: boolean;
  /** True if it covers all rows. */
  readonly isWhole: boolean;
}

/**
 * The members of an entity by their names.
 *
 * @throws Refusal
 */
export function membersNamed(module: ExistingModule, names: readonly string[]): StoredMember[] {
  const known = storedMembers(module);
  return names.map((name, index) => {
    if (names.indexOf(name) !== index) throw new Refusal(`The field ${name} is given twice.`);
    const member = known.find((each) => each.name === name);
    if (!member) {
      const others = known.map((each) => each.name).join(', ');
      throw new Refusal(`${module.plural.kebab} have no field ${name}: their fields are ${others}.`);
    }
    if (/\[\]/.test(member.node.type?.getText() ?? '')) {
      throw new Refusal(`The field ${name} is an array: lists cannot be sorted or filtered by arrays.`);
    }
    return member;
  });
}

/** The indexes and unique constraints that the entity of a module declares, on the class and on its members. */
export function indexesOf({ entity }: ExistingModule): DeclaredIndex[] {
  const onMembers = entity.node.members
    .filter((member) => ts.isPropertyDeclaration(member))
    .flatMap((member) => decoratorsOf(member).flatMap((each) => indexIn(each, member.name.getText())));
  return [...decoratorsOf(entity.node).flatMap((each) => indexIn(each)), ...onMembers];
}

/** True if an index begins with a member and has the id after it, by which lists are sorted and filtered. */
export function hasIndexOn(module: ExistingModule, name: string): boolean {
  return indexesOf(module).some((each) => each.isWhole && each.members.join() === [name, 'id'].join());
}

/** True if a member is a text of any length, written by clients. */
export function isFreeText({ node }: StoredMember): boolean {
  return (
    decoratorsOf(node).some((each) => decoratorName(each) === 'TextColumn') &&
    /\bstring\b/.test(node.type?.getText() ?? '')
  );
}

/** @param member the member with the decorator; its index counts as one on the member and the id */
function indexIn(decorator: ts.Decorator, member?: string): DeclaredIndex[] {
  const kind = decoratorName(decorator);
  if (!['Index', 'Unique'].includes(kind) || !ts.isCallExpression(decorator.expression)) return [];
  const [name, ...others] = decorator.expression.arguments;
  if (!name || !ts.isStringLiteralLike(name)) return [];
  const list = others.find((each) => ts.isArrayLiteralExpression(each));
  const options = others.find((each) => ts.isObjectLiteralExpression(each));
  const listed = nodesOf(list ?? name)
    .filter((node) => ts.isStringLiteralLike(node))
    .map(({ text }) => text);
  return [
    {
      name: name.text,
      members: member === undefined ? listed : [member, 'id'],
      isUnique: kind === 'Unique' || (options !== undefined && memberIn(options, 'unique') !== undefined),
      isWhole: options === undefined || memberIn(options, 'where') === undefined,
    },
  ];
}
