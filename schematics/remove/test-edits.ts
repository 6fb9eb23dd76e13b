import ts from 'typescript';
import type { Changes } from '../edit/changes.ts';
import type { FileEdit } from '../edit/file-edit.ts';
import { memberIn } from '../edit/literals.ts';
import { testsIn } from '../edit/tests.ts';
import { codedField } from '../feature/field-code.ts';
import { readFurtherFields } from '../feature/fields.ts';
import { linkFields } from '../feature/references.ts';
import { sampleOf } from '../field/spec-edits.ts';
import { type ExistingModule, storedMembers } from '../module/existing-module.ts';
import { readPresentField } from '../module/present-field.ts';
import { nodesOf } from '../text/sources.ts';

/** The test of updates that the templates write. */
const OF_UPDATES = 'changes what a patch names and nothing else';

/**
 * Takes a field out of the tests and the samples of a module: a test about nothing else goes.
 *
 * @param isGoing true for what goes, if that is not all
 */
export function editTests(
  changes: Changes,
  module: ExistingModule,
  name: string,
  isGoing: (part: Part, parts: readonly Part[]) => boolean = () => true,
): void {
  const files = module.sources.filter(({ fileName }) => /\.(?:spec|samples)\.ts$/.test(fileName));
  for (const source of files) {
    const all = partsOf(source, name);
    const parts = all.filter((part) => isGoing(part, all));
    if (parts.length === 0) continue;
    const edit = changes.edit(source.fileName);
    const tests = testsIn(source);
    const isAbout = (title: string) => title.startsWith(`stores the default ${name} of `);
    const emptied = parts.filter(({ list }) => list.length === 1);
    const constants = emptied.flatMap(({ node }) => constantOf(node) ?? []);
    const gone = tests.filter(
      ({ title, statement }) =>
        isAbout(title) ||
        (title !== OF_UPDATES && emptied.some(({ node }) => isWithin(statement, node))) ||
        constants.some((constant) => uses(statement, constant)),
    );
    for (const { statement } of gone) edit.removeWhole(statement);
    for (const constant of constants) edit.removeWhole(constant);
    for (const { list, node } of parts) {
      const isGone = [...gone.map(({ statement }) => statement), ...constants].some((each) =>
        isWithin(each, node),
      );
      if (isGone) continue;
      const other = list.length === 1 ? otherMember(module, source, name) : undefined;
      if (list.length > 1 || other === undefined) edit.removeElement(list, node);
      else edit.replaceWhole(node, other);
    }
    for (const { node } of source.fileName.endsWith('.spec.ts') ? [] : emptied) renameParameters(edit, node);
  }
}

/** An element of a list. */
export interface Part {
  readonly list: ts.NodeArray<ts.Node>;
  readonly node: ts.Node;
}

/** Members of object literals with the name, and elements of arrays that are the name. */
export function partsOf(source: ts.SourceFile, name: string): Part[] {
  return nodesOf(source).flatMap((literal): Part[] => {
    if (ts.isObjectLiteralExpression(literal)) {
      const member = memberIn(literal, name);
      return member && !isExpectedError(source, literal) ? [{ list: literal.properties, node: member }] : [];
    }
    if (!ts.isArrayLiteralExpression(literal)) return [];
    const element = literal.elements.find((each) => ts.isStringLiteralLike(each) && each.text === name);
    return element ? [{ list: literal.elements, node: element }] : [];
  });
}

/** True for the body of an error, whose members are no fields. */
function isExpectedError({ fileName }: ts.SourceFile, literal: ts.ObjectLiteralExpression): boolean {
  if (!fileName.endsWith('.spec.ts')) return false;
  const code = memberIn(literal, 'code');
  if (!code) return false;
  return (
    (memberIn(literal, 'message') ?? memberIn(literal, 'status')) !== undefined ||
    literal.properties.length === 1
  );
}

/** The statement of a constant outside tests that is this list, such as OPTIONAL. */
export function constantOf(node: ts.Node): ts.VariableStatement | undefined {
  const statement = ts.findAncestor(node, ts.isVariableStatement);
  return statement && ts.isSourceFile(statement.parent) && !ts.findAncestor(node, ts.isFunctionLike)
    ? statement
    : undefined;
}

function uses(node: ts.Node, statement: ts.VariableStatement): boolean {
  const names = statement.declarationList.declarations.map((each) => each.name.getText());
  return nodesOf(node).some((each) => ts.isIdentifier(each) && names.includes(each.text));
}

function isWithin(outer: ts.Node, inner: ts.Node): boolean {
  return outer.pos <= inner.pos && inner.end <= outer.end;
}

/** Marks the parameters of a function that returns nothing of them any more. */
function renameParameters(edit: FileEdit, node: ts.Node): void {
  const made = ts.findAncestor(node, ts.isFunctionDeclaration);
  for (const { name } of made?.parameters ?? []) edit.insert(name.getStart(), '_');
}

/** Another member for a body that would be empty, of a field that the tests send as well. */
function otherMember(module: ExistingModule, source: ts.SourceFile, name: string): string | undefined {
  const [sample] = sampleOf(source, `new${module.singular.pascal}`);
  const others = storedMembers(module).filter(
    (member) => member.name !== name && sample && memberIn(sample, member.name),
  );
  for (const other of others) {
    const { text } = readPresentField(module, other.name);
    const [field] = readFurtherFields(text, module);
    if (!field || field.type === 'ref') continue;
    const [linked] = linkFields([field], module, []);
    return linked && `${other.name}: ${codedField(linked, '').testValues[1]}`;
  }
  return undefined;
}
