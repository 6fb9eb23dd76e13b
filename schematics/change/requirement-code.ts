import ts from 'typescript';
import { addMethod, methodIn } from '../edit/classes.ts';
import type { Changes } from '../edit/changes.ts';
import { addElement } from '../edit/literals.ts';
import { codedField } from '../feature/field-code.ts';
import type { LinkedField } from '../feature/references.ts';
import { classOf, type ExistingModule } from '../module/existing-module.ts';
import { removeName } from '../remove/retire.ts';
import { nodesOf } from '../text/sources.ts';
import { capitalized, spell, textLiteral, wordsOf } from '../text/spelling.ts';

const MERGE_PATCH = '../../platform/validation/merge-patch';

/**
 * Lets responses lack a field that a creation must have: they are made of the same class, and rows may be without it still. A
 * patch that is made of the response cannot remove it.
 */
export function keepOptionalInResponses(changes: Changes, module: ExistingModule, name: string): void {
  const { singular, folder } = module;
  const creation = `New${singular.pascal}Dto`;
  const dto = classOf(module, `${singular.pascal}Dto`);
  const nodes = nodesOf(dto?.node.heritageClauses?.[0]);
  const whole = nodes.find((node) => isCallOf(node, 'IntersectionType'));
  const taken = nodes.filter((node) => isSelection(node, creation));
  const base = nodes.find((node) => ts.isIdentifier(node) && node.text === creation);
  const optional = `PartialType(PickType(${creation}, ['${name}']), { skipNullProperties: false })`;
  if (!dto || !whole || !base) {
    changes.leaveByHand(
      dto?.path ?? `${folder}/dto/${singular.kebab}.dto.ts`,
      `the class ${singular.pascal}Dto`,
      [`… OmitType(${creation}, ['${name}']), ${optional}`],
    );
  } else if (taken.length > 0) {
    for (const each of taken) addElement(changes.edit(dto.path), listOf(each), `'${name}'`);
  } else {
    const edit = changes.edit(dto.path);
    edit.replace(base, `OmitType(${creation}, ['${name}'])`);
    edit.insert(whole.arguments.at(-1)?.end ?? whole.arguments.end, `, ${optional}`);
    const names = ['OmitType', 'PartialType', 'PickType'];
    edit.import(...names.map((each) => ({ name: each, from: '@nestjs/swagger', isType: false })));
  }
  for (const { path, source } of patchesOf(module, name)) {
    const edit = changes.edit(path);
    if (isCallOf(source, 'RequiredType')) addElement(edit, listOf(source), `'${name}'`);
    else edit.replace(source, `RequiredType(${source.getText()}, ['${name}'])`);
    edit.import({ name: 'RequiredType', from: MERGE_PATCH, isType: false });
  }
}

/** Takes back {@link keepOptionalInResponses}. */
export function requireInResponses(changes: Changes, module: ExistingModule, name: string): void {
  const { singular } = module;
  const creation = `New${singular.pascal}Dto`;
  const dto = classOf(module, `${singular.pascal}Dto`);
  for (const node of nodesOf(dto?.node.heritageClauses?.[0])) {
    if (!dto || !isSelection(node, creation)) continue;
    const edit = changes.edit(dto.path);
    const list = listOf(node);
    const element = elementIn(list, name);
    const { parent } = node;
    const whole = parent.parent;
    if (!element) continue;
    if (list.elements.length > 1) edit.removeElement(list.elements, element);
    else if (node.expression.getText() === 'OmitType') edit.replaceWhole(node, creation);
    else if (isCallOf(parent, 'PartialType') && ts.isCallExpression(whole))
      edit.removeElement(whole.arguments, parent);
  }
  forgetRequired(changes, module, name, ['PatchDto', 'OperatorPatchDto']);
}

/** Takes a field out of the calls of RequiredType() that the DTOs are made of. */
export function forgetRequired(
  changes: Changes,
  module: ExistingModule,
  name: string,
  classes: readonly string[] = ['Dto', 'PatchDto', 'OperatorPatchDto'],
): void {
  for (const end of classes) {
    const target = classOf(module, `${module.singular.pascal}${end}`);
    for (const node of nodesOf(target?.node.heritageClauses?.[0])) {
      if (!target || !isCallOf(node, 'RequiredType')) continue;
      const list = listOf(node);
      const element = elementIn(list, name);
      if (element) removeName(changes.edit(target.path), list, element);
    }
  }
}

/** Adds a method to the service that fills a column every night. */
export function addFill(changes: Changes, module: ExistingModule, field: LinkedField, value: string): void {
  const { plural, singular, folder } = module;
  const { name } = field;
  const service = classOf(module, `${plural.pascal}Service`);
  const repository = service && repositoryOf(service.node, `${plural.pascal}Repository`);
  const { fallback } = codedField(
    { ...field, options: { ...field.options, default: value } },
    singular.words,
  );
  const code = `  /** Gives ${plural.words} that have no ${field.words} this one: rows of versions that did not require it. */
  @Scheduled('15 2 * * *', { title: ${textLiteral(`Fill ${name} of ${plural.words}`)} })
  ${fillMethod(name)}(): Promise<void> {
    return fillColumn(this.${repository ?? plural.camel}.repository, '${name}', ${fallback});
  }`;
  if (!service || repository === undefined) {
    changes.leaveByHand(
      service?.path ?? `${folder}/${plural.kebab}.service.ts`,
      `a method of ${plural.pascal}Service`,
      code.split('\n'),
    );
    return;
  }
  const edit = changes.edit(service.path);
  addMethod(edit, service.node, code);
  edit.import(
    { name: 'fillColumn', from: '../platform/database/entities/fill-column', isType: false },
    { name: 'Scheduled', from: '../platform/jobs/scheduled.decorator', isType: false },
  );
  if (field.enum) edit.import({ name: field.enum.name, from: `./${field.enum.file}`, isType: false });
}

/** Removes the method that fills a column. */
export function removeFill(changes: Changes, module: ExistingModule, name: string): void {
  const service = classOf(module, `${module.plural.pascal}Service`);
  const method = service && methodIn(service.node, fillMethod(name));
  if (method) changes.edit(service.path).removeWhole(method);
}

/** The method of the service that fills a column. */
export function fillMethod(name: string): string {
  return `fill${capitalized(spell(wordsOf(name)).camel)}`;
}

/** The property of a service that is its repository. */
function repositoryOf({ members }: ts.ClassDeclaration, type: string): string | undefined {
  const parameters = members
    .filter((each) => ts.isConstructorDeclaration(each))
    .flatMap((each) => [...each.parameters]);
  const found = parameters.find((each) => each.type?.getText() === type && each.modifiers !== undefined);
  return found?.name.getText();
}

/** The classes from which patches are made of the response, where these do not leave the field out. */
function patchesOf(module: ExistingModule, name: string): { path: string; source: ts.Expression }[] {
  const response = new RegExp(`\\b${module.singular.pascal}Dto\\b`);
  return ['PatchDto', 'OperatorPatchDto'].flatMap((end) => {
    const target = classOf(module, `${module.singular.pascal}${end}`);
    const patch = nodesOf(target?.node.heritageClauses?.[0]).find((node) => isCallOf(node, 'MergePatchType'));
    const source = patch?.arguments[0];
    const isOpen = source && response.test(source.getText()) && !source.getText().includes(`'${name}'`);
    return target && isOpen ? [{ path: target.path, source }] : [];
  });
}

type Selection = ts.CallExpression & {
  readonly arguments: readonly [ts.Expression, ts.ArrayLiteralExpression];
};

/** True for `OmitType(NewSupplierDto, [...])` and `PickType(NewSupplierDto, [...])`. */
function isSelection(node: ts.Node, creation: string): node is Selection {
  return (
    (isCallOf(node, 'OmitType') || isCallOf(node, 'PickType')) && node.arguments[0].getText() === creation
  );
}

function isCallOf(node: ts.Node, name: string): node is Selection {
  return ts.isCallExpression(node) && node.expression.getText() === name;
}

function listOf(call: Selection): ts.ArrayLiteralExpression {
  return call.arguments[1];
}

function elementIn(list: ts.ArrayLiteralExpression, name: string): ts.Expression | undefined {
  return list.elements.find((each) => ts.isStringLiteralLike(each) && each.text === name);
}
