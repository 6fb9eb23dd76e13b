import ts from 'typescript';
import { addMethod, methodIn } from '../edit/classes.ts';
import type { Changes } from '../edit/changes.ts';
import { functionIn, memberIn, returnedLiterals } from '../edit/literals.ts';
import { storedLiterals } from '../field/service-edits.ts';
import { classOf, type Declared, type ExistingModule, storedMembers } from '../module/existing-module.ts';
import { nodesOf } from '../text/sources.ts';
import { fillMethod, patchFunction, type Rename } from './names.ts';

/** The member that the response reads for both names; undefined if the service does not serve both. */
export function readMember({ module, from, to }: Rename): string | undefined {
  const service = serviceOf(module);
  const toDto = service && functionIn(service.source, 'toDto');
  for (const literal of toDto ? returnedLiterals(toDto) : []) {
    const [old, next] = [from, to].map((name) => memberTexts(literal, name));
    if (old && next && old.value === next.value) return old.read;
  }
  return undefined;
}

/** Stores both names, fills the column of the new one, and goes on reading the old one. */
export function beginInService(changes: Changes, rename: Rename): void {
  const { module, from, to } = rename;
  const service = serviceOf(module);
  const path = service?.path ?? `${module.folder}/${module.plural.kebab}.service.ts`;
  const literals = service ? storedLiterals(service.source) : [];
  const stored = literals.flatMap((literal) => {
    const [old, next] = [from, to].map((name) => memberTexts(literal, name));
    return old && next && old.read === from && next.read === to ? [{ old, next }] : [];
  });
  if (!service || stored.length < literals.length || stored.length === 0) {
    changes.leaveByHand(path, `where a new ${module.singular.words} is stored`, [
      `${from}: body.${to} ?? body.${from} ?? null, ${to}: body.${to} ?? body.${from} ?? null,`,
    ]);
  }
  for (const { old, next } of stored) {
    const both = next.value.replace(next.access, `${next.access} ?? ${old.access}`);
    changes.edit(path).replace(old.initializer, both);
    changes.edit(path).replace(next.initializer, both);
  }
  readInstead(changes, rename, from);
  const merges = service ? mergesIn(service.source) : [];
  for (const [row, patch] of merges) {
    changes
      .edit(path)
      .replace(patch, `${patchFunction(rename)}(${patch.getText()}, ${row.getText()}.${from})`);
  }
  if (!service || merges.length === 0) {
    changes.leaveByHand(path, `where a ${module.singular.words} is changed`, [
      `applyMergePatch(row, ${patchFunction(rename)}(patch, row.${from}))`,
    ]);
    return;
  }
  const edit = changes.edit(path);
  edit.insert(service.source.end, patchCode(rename));
  addMethod(edit, service.node, fillCode(rename));
  edit.import(
    { name: 'copyColumn', from: '../platform/database/entities/copy-column', isType: false },
    { name: 'Scheduled', from: '../platform/jobs/scheduled.decorator', isType: false },
  );
}

/** Reads the new name, whose column is filled. */
export function switchInService(changes: Changes, rename: Rename): void {
  const { module, from, to } = rename;
  readInstead(changes, rename, to);
  const service = serviceOf(module);
  if (!service) return;
  for (const [row, patch] of mergesIn(service.source)) {
    const stored = isCallOf(patch, rename) ? patch.arguments[1] : undefined;
    if (stored?.getText() === `${row.getText()}.${from}`) {
      changes.edit(service.path).replace(stored, `${row.getText()}.${to}`);
    }
  }
  const fill = methodIn(service.node, fillMethod(rename));
  if (fill) changes.edit(service.path).removeWhole(fill);
}

/** Forgets the old name, but for what the removal of a field takes away. */
export function endInService(changes: Changes, rename: Rename): void {
  const { module, from, to } = rename;
  const service = serviceOf(module);
  if (!service) return;
  for (const literal of storedLiterals(service.source)) {
    const [old, next] = [from, to].map((name) => memberIn(literal, name));
    if (!old || !next || !ts.isPropertyAssignment(next)) continue;
    const text = next.initializer.getText();
    const alone = text.replace(new RegExp(` \\?\\? [\\w.]+\\.${from}\\b`), '');
    if (alone !== text) changes.edit(service.path).replace(next.initializer, alone);
  }
  for (const [, patch] of mergesIn(service.source)) {
    const given = isCallOf(patch, rename) ? patch.arguments[0] : undefined;
    if (given) changes.edit(service.path).replace(patch, given.getText());
  }
  const merging = functionIn(service.source, patchFunction(rename));
  if (merging) changes.edit(service.path).removeWhole(merging);
}

/** A member whose value is read from another object: `phone: supplier.phone ?? null`. */
function memberTexts(literal: ts.ObjectLiteralExpression, name: string) {
  const member = memberIn(literal, name);
  if (!member || !ts.isPropertyAssignment(member)) return undefined;
  const value = member.initializer.getText();
  const [access, read] = /^\w+\.(\w+)/.exec(value) ?? [];
  return access === undefined || read === undefined
    ? undefined
    : { initializer: member.initializer, value, access, read };
}

/** Gives both names the value of one of them in the response. */
function readInstead(changes: Changes, { module, from, to }: Rename, read: string): void {
  const service = serviceOf(module);
  const toDto = service && functionIn(service.source, 'toDto');
  const members = (toDto ? returnedLiterals(toDto) : []).flatMap((literal) =>
    [from, to].flatMap((name) => memberTexts(literal, name) ?? []),
  );
  if (!service || members.length === 0) {
    const path = service?.path ?? `${module.folder}/${module.plural.kebab}.service.ts`;
    const lines = [`${from}: row.${read} ?? undefined, ${to}: row.${read} ?? undefined,`];
    changes.leaveByHand(path, `where a ${module.singular.words} is turned into its DTO`, lines);
    return;
  }
  for (const { initializer, value, read: present } of members) {
    if (present !== read) {
      changes.edit(service.path).replace(initializer, value.replace(`.${present}`, `.${read}`));
    }
  }
}

function serviceOf(module: ExistingModule): Declared<ts.ClassDeclaration> | undefined {
  return classOf(module, `${module.plural.pascal}Service`);
}

/** The arguments of the calls that apply a patch to a row. */
function mergesIn(source: ts.SourceFile): [row: ts.Expression, patch: ts.Expression][] {
  return nodesOf(source)
    .filter((node) => ts.isCallExpression(node) && node.expression.getText() === 'applyMergePatch')
    .flatMap((node): [ts.Expression, ts.Expression][] => {
      const [row, patch] = (node as ts.CallExpression).arguments;
      return row && patch ? [[row, patch]] : [];
    });
}

function isCallOf(node: ts.Expression, rename: Rename): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText() === patchFunction(rename);
}

function patchCode(rename: Rename): string {
  const { module, from, to } = rename;
  const { singular } = module;
  // Operators change fields that clients cannot, by a DTO that the service takes in place of the patch.
  const operatorPatch = `${singular.pascal}OperatorPatchDto`;
  const patchDto = classOf(module, operatorPatch) ? operatorPatch : `${singular.pascal}PatchDto`;
  const type =
    storedMembers(module)
      .find(({ name }) => name === from)
      ?.node.type?.getText() ?? 'unknown';
  return `
/** Changes ${from} and ${to} together. A client that sends back what it read may have changed either. */
function ${patchFunction(rename)}(patch: Readonly<${patchDto}>, stored: ${type}): Readonly<${patchDto}> {
  const { ${from}, ${to} } = patch;
  const isSame = ${to} === undefined || (${to} === stored && ${from} !== undefined);
  const changed = isSame ? ${from} : ${to};
  return changed === undefined ? patch : { ...patch, ${from}: changed, ${to}: changed };
}
`;
}

function fillCode(rename: Rename): string {
  const { module, from, to } = rename;
  const [old, next] = [from, to].map(
    (name) => storedMembers(module).find((member) => member.name === name)?.column ?? name,
  );
  return `  /** Fills ${to} where it differs from ${from}: versions without it write ${from} alone. */
  @Scheduled('15 2 * * *', { title: 'Fill ${to} of ${module.plural.words}' })
  ${fillMethod(rename)}(): Promise<void> {
    return copyColumn(this.database, { table: '${module.table}', from: '${old}', to: '${next}' });
  }`;
}
