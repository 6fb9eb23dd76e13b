import ts from 'typescript';
import { classIn } from '../edit/classes.ts';
import type { Changes } from '../edit/changes.ts';
import { importWhatIsUsed } from '../edit/imports.ts';
import { addElement } from '../edit/literals.ts';
import type { LinkedField } from '../feature/references.ts';
import { classOf, type Declared, type ExistingModule } from '../module/existing-module.ts';
import type { Rendered } from '../module/rendered.ts';
import { nodesOf } from '../text/sources.ts';

/**
 * Lets operators change the first read-only field of a module, by a DTO of their own; no create-only field is changed by it.
 */
export function editOperatorPatch(
  changes: Changes,
  module: ExistingModule,
  fields: readonly LinkedField[],
  rendered: Rendered,
): void {
  const { folder, singular, plural, sources } = module;
  const [patch, wider] = [`${singular.pascal}PatchDto`, `${singular.pascal}OperatorPatchDto`];
  const end = `/dto/${singular.kebab}-patch.dto.ts`;
  const model = rendered.file(end);
  const made = classIn(model, wider);
  const there = classOf(module, wider);
  if (there && !made) omitCreateOnly(changes, there, fields);
  if (there || !made) return;
  const target = classOf(module, patch);
  if (!target) {
    changes.leaveByHand(`${folder}${end}`, `besides the class ${patch}`, made.getText().split('\n'));
    return;
  }
  const edit = changes.edit(target.path);
  edit.insert(target.node.end, `\n\n${made.getFullText().trim()}`);
  importWhatIsUsed(edit, [made], model);
  const users = [`${folder}/${plural.kebab}.admin.ts`, `${folder}/${plural.kebab}.service.ts`];
  for (const source of sources.filter(({ fileName }) => users.includes(fileName))) {
    for (const node of nodesOf(source)) {
      if (ts.isIdentifier(node) && node.text === patch) changes.edit(source.fileName).replace(node, wider);
    }
  }
}

function omitCreateOnly(
  changes: Changes,
  { path, node }: Declared<ts.ClassDeclaration>,
  fields: readonly LinkedField[],
): void {
  const names = fields
    .filter(({ options }) => options.access === 'create-only')
    .map(({ name }) => `'${name}'`);
  if (names.length === 0) return;
  const list = nodesOf(node).find((each) => ts.isArrayLiteralExpression(each));
  if (list) for (const name of names) addElement(changes.edit(path), list, name);
  else changes.leaveByHand(path, 'in the fields that operators cannot change', names);
}
