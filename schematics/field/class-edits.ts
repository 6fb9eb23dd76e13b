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
import type { FileEdit } from '../edit/file-edit.ts';
import { nodesOf } from '../feature/sources.ts';
import type { LinkedField } from '../feature/references.ts';
import { classOf, type ExistingModule, isKeptByTheTable } from '../module/existing-module.ts';
import type { Rendered } from '../module/rendered.ts';

/**
 * Adds fields to every class that the templates put them into: the entity, the body of a creation, the query of the list; and to
 * the entity the decorators of the class that come with them.
 *
 * @param before what the templates make without the fields
 */
export function editClasses(
  changes: Changes,
  module: ExistingModule,
  fields: readonly LinkedField[],
  rendered: Rendered,
  before: Rendered,
): void {
  const known = before.sources.flatMap(classesOf);
  for (const source of rendered.sources) {
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
        // A module that serves no list has no query of it.
        const lines = [
          ...properties.flatMap(linesOf),
          ...decorators.map((each) => `${each.getText()} (on the class)`),
        ];
        changes.leaveByHand(placeOf(module, source), `in the class ${name}`, lines);
      }
    }
  }
}

/**
 * Gives the DTOs of a module the base classes that the templates give them now: a field that only a creation may have is left out
 * of the patch. One whose base is not what the templates made of it so far is left to be changed by hand.
 *
 * @param before what the templates made of them so far
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
      const there = target?.node.heritageClauses?.[0];
      if (twin?.heritageClauses?.[0] && there && shapeOf(there) === shapeOf(twin.heritageClauses[0])) {
        const edit = changes.edit((target as { path: string }).path);
        edit.replace(there, clause.getText());
        removeImportsOnlyOf(edit, there, clause);
        importWhatIsUsed(edit, [clause], source);
      } else {
        changes.leaveByHand(placeOf(module, source), `the class ${name}`, [`… ${clause.getText()}`]);
      }
    }
  }
}

/** What a module has of a field. */
export interface FieldState {
  readonly isThere: boolean;
  /** The first file where it is not what the templates make of it. */
  readonly differsIn?: string;
}

/** Whether a module has a field, and whether it is what the templates make of it. */
export function fieldIn(module: ExistingModule, field: LinkedField, rendered: Rendered): FieldState {
  if (!propertyIn(module.entity.node, field.name)) return { isThere: false };
  for (const { node, property } of membersNamed(rendered, field.name)) {
    const target = classOf(module, node.name?.text ?? '');
    const there = target && propertyIn(target.node, field.name);
    if (target && (!there || shapeOf(there) !== shapeOf(property)))
      return { isThere: true, differsIn: target.path };
  }
  return { isThere: true };
}

function membersNamed(rendered: Rendered, name: string) {
  return rendered.sources.flatMap((source) =>
    classesOf(source).flatMap((node) => {
      const property = propertyIn(node, name);
      return property ? [{ source, node, property }] : [];
    }),
  );
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

/** Where the templates put a file, in the folder that the module has. */
function placeOf({ folder }: ExistingModule, { fileName }: ts.SourceFile): string {
  return fileName.replace(/^src\/[^/]+/, folder);
}

function linesOf(property: ts.PropertyDeclaration): string[] {
  return property
    .getText()
    .split('\n')
    .map((line) => line.trim());
}

/** Takes out the imports of what nothing but a clause uses that another one replaces. */
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
