import ts from 'typescript';
import {
  addProperty,
  classIn,
  decoratorName,
  decoratorsOf,
  propertiesOf,
  propertyIn,
} from '../edit/classes.ts';
import type { Changes } from '../edit/changes.ts';
import { importWhatIsUsed } from '../edit/imports.ts';
import type { LinkedField } from '../feature/references.ts';
import { nodesOf } from '../text/sources.ts';
import { classOf, type Declared, type ExistingModule } from '../module/existing-module.ts';
import type { Rendered } from '../module/rendered.ts';
import { Refusal } from '../refusal.ts';

/** The parameter that sorts a list. */
const SORT = 'sort';

/**
 * Adds ranges, beginnings, sets and orders of new fields to the list of a module: by parameters of its query besides those with
 * the name of a field; its repository reads them.
 *
 * @param rendered output of the templates for the fields, and for an arbitrary one
 * @throws Refusal when a parameter is there already
 */
export function editList(
  changes: Changes,
  module: ExistingModule,
  fields: readonly LinkedField[],
  rendered: Rendered,
): void {
  const isAsked = fields.some(({ options: { range, prefix, set, sort } }) => range || prefix || set || sort);
  const name = `List${module.plural.pascal}Query`;
  const query = classOf(module, name);
  // A module without a list has no such query.
  if (!isAsked || !query) return;
  const model = rendered.file(`/list-${module.plural.kebab}.query.ts`);
  const made = propertiesOf(classIn(model, name) as ts.ClassDeclaration);
  const names = fields.map((field) => field.name);
  for (const parameter of made.filter((each) => !names.includes(each.name.getText()))) {
    addParameter(changes, query, parameter, model);
  }
  editRepository(changes, module, rendered, name);
}

function addParameter(
  changes: Changes,
  query: Declared<ts.ClassDeclaration>,
  parameter: ts.PropertyDeclaration,
  model: ts.SourceFile,
): void {
  const name = parameter.name.getText();
  const there = propertyIn(query.node, name);
  const edit = changes.edit(query.path);
  if (!there) {
    addProperty(edit, query.node, parameter.getText());
    importWhatIsUsed(edit, [parameter], model);
    return;
  }
  if (name !== SORT)
    throw new Refusal(`The list already has a parameter ${name}: choose another name for the field.`);
  const [added, known] = [sortCall(parameter), sortCall(there)];
  const orders = added?.arguments.map((each) => each.getText()) ?? [];
  const last = known?.arguments.at(-1);
  if (last) edit.insert(last.end, orders.map((order) => `, ${order}`).join(''));
  else changes.leaveByHand(query.path, `in the orders of the list (${SORT})`, orders);
}

/** The call of `@SortParameter('quantity', 'shipDate')`. */
export function sortCall(property: ts.PropertyDeclaration): ts.CallExpression | undefined {
  const decorator = decoratorsOf(property).find((each) => decoratorName(each) === 'SortParameter');
  return decorator && ts.isCallExpression(decorator.expression) ? decorator.expression : undefined;
}

/** Passes the query to the repository, as its last argument. */
function editRepository(changes: Changes, module: ExistingModule, rendered: Rendered, query: string): void {
  const { folder, plural } = module;
  const name = `${plural.pascal}Repository`;
  const end = `/${plural.kebab}.repository.ts`;
  const model = rendered.file(end);
  const repository = classOf(module, name);
  const call = repository && superCallIn(repository.node);
  const [, entity, given] = call?.arguments ?? [];
  if (given?.getText() === query) return;
  if (!repository || !entity || given) {
    const line = superCallIn(classIn(model, name) as ts.ClassDeclaration)?.getText() ?? '';
    changes.leaveByHand(repository?.path ?? `${folder}${end}`, `in the class ${name}`, [`${line};`]);
    return;
  }
  const edit = changes.edit(repository.path);
  edit.insert(entity.end, `, ${query}`);
  importWhatIsUsed(
    edit,
    superCallIn(classIn(model, name) as ts.ClassDeclaration)?.arguments.slice(2) ?? [],
    model,
  );
}

function superCallIn(node: ts.ClassDeclaration): ts.CallExpression | undefined {
  return nodesOf(node)
    .filter((each) => ts.isCallExpression(each))
    .find(({ expression }) => expression.kind === ts.SyntaxKind.SuperKeyword);
}
