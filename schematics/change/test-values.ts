import ts from 'typescript';
import type { Changes } from '../edit/changes.ts';
import { importWhatIsUsed } from '../edit/imports.ts';
import { isValid, sampleValues } from '../feature/field-values.ts';
import type { LinkedField } from '../feature/references.ts';
import { shapeOf } from '../field/class-edits.ts';
import type { ExistingModule } from '../module/existing-module.ts';
import type { Rendered } from '../module/rendered.ts';
import { nodesOf } from '../text/sources.ts';
import { textLiteral } from '../text/spelling.ts';

/** Methods of a test service that send a body. */
const SENDING = ['post', 'patch', 'put'];

/**
 * Replaces values in the tests of a module that fitted a field before and no longer do, where they are sent and where they are
 * expected, and its former default.
 */
export function editValues(
  changes: Changes,
  { sources, singular }: ExistingModule,
  field: LinkedField,
  before: LinkedField,
): void {
  const replaced = new Map<string, string>();
  for (const source of sources.filter(({ fileName }) => fileName.endsWith('.spec.ts'))) {
    const members = membersNamed(source, field.name);
    const taken = members.map(({ node }) => node.initializer.getText());
    const sent = sentIn(source, `new${singular.pascal}`);
    for (const { value, node } of members) {
      if (!sent.some((each) => contains(each, node)) || !fits(before, value) || fits(field, value)) continue;
      const key = value.join('\n');
      if (!replaced.has(key)) replaced.set(key, fittingValue(field, [...taken, ...replaced.values()]));
    }
    for (const { value, node } of members) {
      const isFormer = !field.isArray && value[0] === before.options.default;
      const fallback = isFormer ? field.options.default : undefined;
      const next = fallback === undefined ? replaced.get(value.join('\n')) : asLiteral(field, fallback);
      if (next !== undefined && next !== node.initializer.getText()) {
        changes.edit(source.fileName).replace(node.initializer, next);
      }
    }
  }
}

/** Gives the samples of a module values that fit, where they are as the templates wrote them. */
export function editSamples(
  changes: Changes,
  { sources, plural }: ExistingModule,
  name: string,
  after: Rendered,
  before: Rendered,
): void {
  const end = `/${plural.kebab}.samples.ts`;
  const isSamples = ({ fileName }: ts.SourceFile) => fileName.endsWith(end);
  const [there, model, former] = [sources, after.sources, before.sources].map((all) => all.find(isSamples));
  if (!there || !model || !former) return;
  const [next, known] = [model, former].map((source) => assignmentsOf(source, name)[0]?.initializer);
  if (!next || !known || shapeOf(next) === shapeOf(known)) return;
  for (const { initializer } of assignmentsOf(there, name)) {
    if (shapeOf(initializer) !== shapeOf(known)) continue;
    const edit = changes.edit(there.fileName);
    edit.replace(initializer, next.getText());
    importWhatIsUsed(edit, [next], model);
  }
}

/** A value that fits, as a literal: another one than those that are taken, if there is one. */
function fittingValue(field: LinkedField, taken: readonly string[]): string {
  const count = field.isArray ? Math.max(1, Number(field.options.minItems ?? 1)) : 1;
  const samples = sampleValues(field, taken.length + count);
  const values = samples.map((_, start) => {
    const items = Array.from(
      { length: count },
      (_item, index) => samples[(start + index) % samples.length] as string,
    );
    const literals = items.map((text) => asLiteral(field, text)).join(', ');
    return field.isArray ? `[${literals}]` : literals;
  });
  return values.find((value) => !taken.includes(value)) ?? (values[0] as string);
}

/** The parts of a test file whose values are sent: arguments of requests, and what their variables are assigned. */
function sentIn(source: ts.SourceFile, sample: string): ts.Node[] {
  const nodes = nodesOf(source);
  const bodies = nodes
    .filter((node) => ts.isCallExpression(node))
    .filter(
      ({ expression }) => ts.isPropertyAccessExpression(expression) && SENDING.includes(expression.name.text),
    )
    .flatMap((call) => [...call.arguments]);
  const names = new Set([
    sample,
    ...bodies
      .flatMap(nodesOf)
      .filter((node) => ts.isIdentifier(node))
      .map(({ text }) => text),
  ]);
  const assigned = nodes.filter(
    (node) =>
      ((ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)) &&
        names.has(node.name?.getText() ?? '')) ||
      (ts.isBinaryExpression(node) && names.has(node.left.getText())),
  );
  return [...bodies, ...assigned];
}

function contains(outer: ts.Node, inner: ts.Node): boolean {
  return outer.pos <= inner.pos && inner.end <= outer.end;
}

function membersNamed(source: ts.SourceFile, name: string) {
  return assignmentsOf(source, name).flatMap((node) => {
    const value = valueOf(node.initializer);
    return value ? [{ node, value }] : [];
  });
}

function assignmentsOf(source: ts.SourceFile, name: string): ts.PropertyAssignment[] {
  return nodesOf(source)
    .filter((node) => ts.isPropertyAssignment(node))
    .filter((node) => node.name.getText() === name);
}

function fits(field: LinkedField, items: readonly string[]): boolean {
  const { minItems = 0, maxItems = Infinity } = field.options;
  if (field.isArray && (items.length < Number(minItems) || items.length > Number(maxItems))) return false;
  return items.every((item) => isValid(field, item));
}

/** The value of a literal, or the items of an array of literals; undefined for any other expression. */
function valueOf(value: ts.Expression): string[] | undefined {
  if (ts.isStringLiteralLike(value)) return [value.text];
  if (ts.isNumericLiteral(value) || ts.isPrefixUnaryExpression(value)) return [value.getText()];
  if (!ts.isArrayLiteralExpression(value)) return undefined;
  const items = value.elements.map((each) => valueOf(each)?.[0]);
  return items.includes(undefined) ? undefined : (items as string[]);
}

function asLiteral({ code }: LinkedField, text: string): string {
  return /^(?:number|bigint|boolean)/.test(code.typescript) ? text : textLiteral(text);
}
