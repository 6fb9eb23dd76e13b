import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { decoratorName, decoratorsOf, methodIn, propertiesOf, propertyIn } from '../edit/classes.ts';
import type { Changes } from '../edit/changes.ts';
import type { FileEdit } from '../edit/file-edit.ts';
import { callsOf, functionIn, literalsOf, memberIn, returnedLiterals } from '../edit/literals.ts';
import { sortCall } from '../field/list-edits.ts';
import { storedLiterals } from '../field/service-edits.ts';
import { addMigration, kebabOf } from '../indexes/plan-index.ts';
import { classOf, type ExistingModule, type StoredMember, storedMembers } from '../module/existing-module.ts';
import { addColumnOptions, columnOptions, setNull } from '../module/columns.ts';
import { nodesOf } from '../text/sources.ts';

/** True if no statement uses the column of a member any more. */
export function isRetired({ node }: StoredMember): boolean {
  return nodesOf(node).some((each) => ts.isSpreadAssignment(each) && each.expression.getText() === 'RETIRED');
}

/** Takes a field out of everything but the table, whose column gets nullable or has a default. */
export function retire(changes: Changes, tree: Tree, module: ExistingModule, member: StoredMember): void {
  retireColumn(changes, tree, module, member);
  editDtos(changes, module, member.name);
  editQuery(changes, module, member.name);
  editService(changes, module, member.name);
  editAdmin(changes, module, member.name);
  editResponses(changes, module, member);
}

function retireColumn(changes: Changes, tree: Tree, module: ExistingModule, member: StoredMember): void {
  const { table, entity, plural } = module;
  const { node, name, column } = member;
  const edit = changes.edit(entity.path);
  const options = columnOptions(node);
  const isSafe = options && (memberIn(options, 'nullable') ?? memberIn(options, 'default'));
  if (!addColumnOptions(edit, node, isSafe ? '...RETIRED' : 'nullable: true, ...RETIRED')) {
    changes.leaveByHand(entity.path, `at the property ${name}`, ['{ nullable: true, ...RETIRED }']);
    return;
  }
  if (node.exclamationToken) edit.replace(node.exclamationToken, '?');
  setNull(edit, node, true);
  edit.import({ name: 'RETIRED', from: '../platform/database/column-types', isType: false });
  if (isSafe) return;
  addMigration(changes, tree, `let-${plural.kebab}-have-no-${kebabOf([name])}`, {
    imports: `import { setNullable } from '../platform/database/driver/table-changes';\n`,
    up: `await setNullable(queryRunner, '${table}', '${column}', true);`,
    down: `await setNullable(queryRunner, '${table}', '${column}', false);`,
  });
}

/** Takes the member out of the DTOs, and its name out of what they are made of. */
function editDtos(changes: Changes, module: ExistingModule, name: string): void {
  const { singular } = module;
  for (const dto of ['New$Dto', '$Dto', '$PatchDto', '$OperatorPatchDto']) {
    const target = classOf(module, dto.replace('$', singular.pascal));
    if (!target) continue;
    const property = propertyIn(target.node, name);
    if (property) changes.edit(target.path).removeWhole(property);
    for (const clause of target.node.heritageClauses ?? []) {
      for (const list of nodesOf(clause).filter((node) => ts.isArrayLiteralExpression(node))) {
        const element = list.elements.find((each) => textOf(each) === name);
        if (element) removeName(changes.edit(target.path), list, element);
      }
    }
  }
}

/** Takes a name out of a list in a base class; a call of RequiredType() without names goes. */
export function removeName(edit: FileEdit, list: ts.ArrayLiteralExpression, element: ts.Expression): void {
  const whole = list.parent;
  const isRequired = ts.isCallExpression(whole) && whole.expression.getText() === 'RequiredType';
  if (list.elements.length > 1 || !isRequired) edit.removeElement(list.elements, element);
  else edit.replaceWhole(whole, whole.arguments[0]?.getText() ?? '');
}

/** Takes the parameters by the field out of the query of the list. */
function editQuery(changes: Changes, module: ExistingModule, name: string): void {
  const query = classOf(module, `List${module.plural.pascal}Query`);
  if (!query) return;
  const edit = changes.edit(query.path);
  for (const property of propertiesOf(query.node)) {
    const options = nodesOf(property).filter((node) => ts.isObjectLiteralExpression(node));
    const isBound = options.some((literal) =>
      ['from', 'to', 'before', 'prefix'].some((option) => {
        const member = memberIn(literal, option);
        return member && ts.isPropertyAssignment(member) && textOf(member.initializer) === name;
      }),
    );
    if (isBound || property.name.getText() === name) edit.removeWhole(property);
    const sort = sortCall(property);
    const order = sort?.arguments.find((each) => textOf(each) === name);
    if (!sort || !order) continue;
    if (sort.arguments.length > 1) edit.removeElement(sort.arguments, order);
    else edit.removeWhole(property);
  }
}

function textOf(node: ts.Expression): string | undefined {
  return ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** Takes the member out of what the service stores, returns and filters by. */
function editService(changes: Changes, module: ExistingModule, name: string): void {
  const service = classOf(module, `${module.plural.pascal}Service`);
  if (!service) return;
  const { source } = service;
  const toDto = functionIn(source, 'toDto');
  for (const literal of [...storedLiterals(source), ...(toDto ? returnedLiterals(toDto) : [])]) {
    const member = memberIn(literal, name);
    if (member) changes.edit(service.path).removeElement(literal.properties, member);
  }
  for (const call of callsOf(source, 'findPage')) {
    for (const literal of literalsOf(call.arguments[1])) {
      const member = memberIn(literal, name);
      if (!member) continue;
      const edit = changes.edit(service.path);
      if (literal.properties.length > 1) edit.removeElement(literal.properties, member);
      else edit.removeElement(call.arguments, call.arguments[1] as ts.Expression);
    }
  }
}

/** Takes the errors of references and of unique values from the operations, if no other field can cause them. */
function editResponses(changes: Changes, module: ExistingModule, member: StoredMember): void {
  const { plural, singular, sources } = module;
  const controller = classOf(module, `${plural.pascal}Controller`);
  const entities = sources.filter(({ fileName }) => fileName.endsWith('.entity.ts'));
  const remaining = entities
    .flatMap((source) => nodesOf(source))
    .filter((node) => ts.isDecorator(node) && !isRetiredBy(node, module, member));
  const isCaused = {
    MissingReferenceError: remaining.some((each) => /^@ForeignKey\b/.test(each.getText())),
    DuplicateValueError: remaining.some((each) => /^@Index\b.*unique:\s*true/s.test(each.getText())),
  };
  for (const name of [`create${singular.pascal}`, `update${singular.pascal}`]) {
    const handler = controller && methodIn(controller.node, name);
    for (const decorator of handler ? decoratorsOf(handler) : []) {
      const { expression } = decorator;
      const error = ts.isCallExpression(expression) ? expression.arguments[0]?.getText() : undefined;
      const isGone = decoratorName(decorator) === 'ErrorResponse' && error !== undefined && error in isCaused;
      if (controller && isGone && !isCaused[error as keyof typeof isCaused]) {
        changes.edit(controller.path).removeWhole(decorator);
      }
    }
  }
}

/** True for a decorator of the member, or of one that was retired before, and for an index of such members alone. */
function isRetiredBy(decorator: ts.Decorator, module: ExistingModule, member: StoredMember): boolean {
  const retired = storedMembers(module).filter((each) => each.name === member.name || isRetired(each));
  if (retired.some(({ node }) => node === decorator.parent)) return true;
  const names = nodesOf(decorator).flatMap((node) =>
    ts.isArrayLiteralExpression(node) ? node.elements.map((each) => textOf(each) ?? '') : [],
  );
  return names.some((name) => retired.some((each) => each.name === name));
}

/** Takes the title of records out of what operators see, if it is the field. */
function editAdmin(changes: Changes, { sources, plural }: ExistingModule, name: string): void {
  const admin = sources.find(({ fileName }) => fileName.endsWith(`/${plural.kebab}.admin.ts`));
  for (const literal of admin ? nodesOf(admin).filter((node) => ts.isObjectLiteralExpression(node)) : []) {
    const title = memberIn(literal, 'title');
    const isTitle = title && ts.isPropertyAssignment(title) && textOf(title.initializer) === name;
    if (admin && isTitle) changes.edit(admin.fileName).removeElement(literal.properties, title);
  }
}
