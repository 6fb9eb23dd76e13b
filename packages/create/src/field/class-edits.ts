import ts from 'typescript';
import {
  addDecorator,
  addProperty,
  classesOf,
  decoratorsOf,
  propertiesOf,
  propertyIn,
} from '../edit/classes.ts';
import type { Changes } from '../edit/changes.ts';
import { importWhatIsUsed } from '../edit/imports.ts';
import { addElement } from '../edit/literals.ts';
import type { FileEdit } from '../edit/file-edit.ts';
import type { FeatureNames } from '../feature/names.ts';
import { nodesOf } from '../text/sources.ts';
import { classOf, type ExistingModule, isKeptByTheTable, placeOf } from '../module/existing-module.ts';
import type { Rendered } from '../module/rendered.ts';

/** A field that is added to a module. */
export interface NamedField {
  readonly name: string;
  /** Names of each object, if the field is an array of objects. */
  readonly item?: Pick<FeatureNames, 'singular'>;
}

/**
 * Adds fields to every class that the templates put them into: the entity, the body of a creation, the query of the list. The
 * entity also gets the decorators of its class that come with them.
 *
 * @param before output of the templates without the fields
 */
export function editClasses(
  changes: Changes,
  module: ExistingModule,
  fields: readonly NamedField[],
  rendered: Rendered,
  before: Rendered,
): void {
  const known = before.sources.flatMap(classesOf);
  const created = rendered.filesBesides(before);
  for (const source of rendered.sources.filter((each) => !created.includes(each))) {
    for (const node of classesOf(source)) {
      const properties = fields.flatMap(({ name }) => propertyIn(node, name) ?? []);
      if (properties.length === 0) continue;
      const name = node.name?.text ?? '';
      const twin = known.find((other) => other.name?.text === name);
      const decorators = decoratorsOf(node).filter((decorator) => !twin || !hasDecorator(twin, decorator));
      const target = classOf(module, name);
      if (target) {
        const edit = changes.edit(target.path);
        const stored = propertiesOf(target.node).filter((each) => !isKeptByTheTable(each));
        for (const each of properties) addProperty(edit, target.node, each.getText(), stored.at(-1));
        for (const each of decorators) addDecorator(edit, target.node, each.getText());
        importWhatIsUsed(edit, [...properties, ...decorators], source);
      } else if (!isQuery(source)) {
        // A module without a list has no such query.
        const lines = [
          ...properties.flatMap(linesOf),
          ...decorators.map((each) => `${each.getText()} (on the class)`),
        ];
        changes.leaveByHand(placeOf(module, source.fileName), `in the class ${name}`, lines);
      }
    }
  }
}

/**
 * Gives the DTOs of a module the base classes that the templates give them now: a field that only a creation may have is left
 * out of the patch. A DTO whose base class differs from the former output of the templates is left to be changed by hand.
 *
 * @param before former output of the templates
 */
export function editHeritage(
  changes: Changes,
  module: ExistingModule,
  rendered: Rendered,
  before: Rendered,
): void {
  const known = before.sources.flatMap(classesOf);
  for (const source of rendered.sources) {
    for (const node of classesOf(source)) {
      const name = node.name?.text ?? '';
      const twin = known.find((other) => other.name?.text === name);
      const [clause] = node.heritageClauses ?? [];
      if (!clause || (twin && clause.getText() === twin.heritageClauses?.[0]?.getText())) continue;
      const target = classOf(module, name);
      // A new class comes with its base class.
      if (!twin && !target) continue;
      const there = target?.node.heritageClauses?.[0];
      if (twin?.heritageClauses?.[0] && there && shapeOf(there) === shapeOf(twin.heritageClauses[0])) {
        const edit = changes.edit((target as { path: string }).path);
        edit.replace(there, clause.getText());
        removeImportsOnlyOf(edit, there, clause);
        importWhatIsUsed(edit, [clause], source);
      } else if (target && there && hasListsOf(there, clause)) {
        addNames(changes.edit(target.path), there, clause);
      } else {
        changes.leaveByHand(placeOf(module, source.fileName), `the class ${name}`, [`… ${clause.getText()}`]);
      }
    }
  }
}

/**
 * The arrays of names in a base class, by the call that has them: `['rating']` for `RequiredType(NewSupplierDto, ['rating'])`.
 */
function listsOf(clause: ts.HeritageClause): [call: string, list: ts.ArrayLiteralExpression][] {
  return nodesOf(clause)
    .filter((node) => ts.isCallExpression(node))
    .flatMap(({ expression, arguments: [, list] }) =>
      list && ts.isArrayLiteralExpression(list) ? [[expression.getText(), list]] : [],
    );
}

function listOf(clause: ts.HeritageClause, call: string): ts.ArrayLiteralExpression | undefined {
  return listsOf(clause).find(([name]) => name === call)?.[1];
}

/** True if a base class is made by the same calls as another, with any names. */
function hasListsOf(there: ts.HeritageClause, wanted: ts.HeritageClause): boolean {
  const lists = listsOf(wanted);
  return lists.length > 0 && lists.every(([call]) => listOf(there, call));
}

/** Adds the names that only the wanted base class has to the arrays of the present one. */
function addNames(edit: FileEdit, there: ts.HeritageClause, wanted: ts.HeritageClause): void {
  for (const [call, list] of listsOf(wanted)) {
    const known = listOf(there, call);
    const names = known?.elements.map((each) => each.getText()) ?? [];
    const missing = list.elements.filter((each) => !names.includes(each.getText()));
    for (const each of missing) if (known) addElement(edit, known, each.getText());
  }
}

/** State of a field in a module. */
export interface FieldState {
  readonly isThere: boolean;
  /** The first file in which it differs from the output of the templates. */
  readonly differsIn?: string;
}

/** Finds a field in a module, and the file in which it differs from the output of the templates. */
export function fieldIn(module: ExistingModule, field: NamedField, rendered: Rendered): FieldState {
  if (!propertyIn(module.entity.node, field.name)) return { isThere: false };
  for (const { node, property } of membersOf(field, rendered)) {
    const target = classOf(module, node.name?.text ?? '');
    const there = target && propertyIn(target.node, property.name.getText());
    if (target && (!there || shapeOf(there) !== shapeOf(property)))
      return { isThere: true, differsIn: target.path };
  }
  return { isThere: true };
}

/** The members that a field makes in classes: its own, and all members of the objects of an array. */
function membersOf({ name, item }: NamedField, rendered: Rendered) {
  const ofItem = item ? [item.singular.pascal, `${item.singular.pascal}Dto`] : [];
  return rendered.sources.flatMap(classesOf).flatMap((node) => {
    const properties = ofItem.includes(node.name?.text ?? '') ? propertiesOf(node) : [propertyIn(node, name)];
    return properties.flatMap((property) => (property ? [{ node, property }] : []));
  });
}

/** The text of a node as the compiler prints it, whatever its line breaks. */
function shapeOf(node: ts.Node): string {
  const printer = ts.createPrinter({ removeComments: true });
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  return text
    .replaceAll(/,(\s*[)}\]])/g, '$1')
    .replaceAll(/\s+/g, '')
    .replaceAll('"', "'");
}

function linesOf(property: ts.PropertyDeclaration): string[] {
  return property
    .getText()
    .split('\n')
    .map((line) => line.trim());
}

/** Removes the imports that only the replaced clause uses. */
function removeImportsOnlyOf(edit: FileEdit, clause: ts.HeritageClause, instead: ts.HeritageClause): void {
  const namesIn = (root: ts.Node) =>
    nodesOf(root)
      .filter((node) => ts.isIdentifier(node))
      .map(({ text }) => text);
  const all = namesIn(edit.source);
  const kept = namesIn(instead);
  const gone = namesIn(clause)
    .filter((name) => !kept.includes(name))
    .filter((name) => all.filter((other) => other === name).length === 2);
  for (const node of edit.source.statements.filter((each) => ts.isImportDeclaration(each))) {
    const list = node.importClause?.namedBindings;
    const imported = list && ts.isNamedImports(list) ? list.elements.map(({ name }) => name.text) : [];
    if (imported.length > 0 && imported.every((name) => gone.includes(name))) edit.remove(node);
  }
}

function hasDecorator(node: ts.ClassDeclaration, decorator: ts.Decorator): boolean {
  return decoratorsOf(node).some((other) => other.getText() === decorator.getText());
}

function isQuery({ fileName }: ts.SourceFile): boolean {
  return fileName.endsWith('.query.ts');
}
