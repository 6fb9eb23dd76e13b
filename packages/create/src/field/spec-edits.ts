import ts from 'typescript';
import type { Changes } from '../edit/changes.ts';
import type { FileEdit } from '../edit/file-edit.ts';
import { importWhatIsUsed } from '../edit/imports.ts';
import { addElement, addMember, memberIn, returnedLiterals } from '../edit/literals.ts';
import { codedField } from '../feature/field-code.ts';
import { addTest, type TestCall, testsIn } from '../edit/tests.ts';
import type { LinkedField } from '../feature/references.ts';
import { nodesOf } from '../text/sources.ts';
import type { ExistingModule } from '../module/existing-module.ts';
import type { Rendered } from '../module/rendered.ts';
import type { AddedFields } from './migration.ts';

/**
 * Lets the tests of a module use new fields: in the record they add, among the optional fields, and in the cases of tests that
 * go through fields. Tests that the module did not need before are added.
 *
 * @param rendered output of the templates for the fields, as if none had a default: each default has a test of its own
 * @param before output of the templates without the fields
 */
export function editSpec(
  changes: Changes,
  module: ExistingModule,
  added: AddedFields,
  rendered: Rendered,
  before: Rendered,
): void {
  const { fields, owned } = added;
  const end = `/${module.plural.kebab}.spec.ts`;
  const model = rendered.file(end);
  const spec = module.sources.find(({ fileName }) => fileName.endsWith(end));
  const sample = `new${module.singular.pascal}`;
  const [made] = sampleOf(model, sample);
  const written = [...fields, ...owned].flatMap(({ name }) => (made && memberIn(made, name)) ?? []);
  const [literal] = spec ? sampleOf(spec, sample) : [];
  const [ofChild] = spec && !literal ? sampleIn(spec, 'sent') : [];
  if (spec && ofChild) {
    // The tests of a nested collection are others than those of the templates.
    for (const member of written) addMember(changes.edit(spec.fileName), ofChild, member.getText());
    importWhatIsUsed(changes.edit(spec.fileName), written, model);
    return;
  }
  if (spec && !literal && !serves(module, `create${module.singular.pascal}`)) {
    addTests(changes.edit(spec.fileName), module, fields, { model, before: before.file(end) });
    return;
  }
  if (!spec || !literal) {
    const lines = written.map((member) => `${member.getText()},`);
    changes.leaveByHand(`${module.folder}${end}`, `in the samples that the tests add (${sample})`, lines);
    return;
  }
  const edit = changes.edit(spec.fileName);
  for (const member of written) addMember(edit, literal, member.getText());
  importWhatIsUsed(edit, written, model);
  addOptionals(edit, fields, model);
  addTests(edit, module, fields, { model, before: before.file(end) });
  addTestsOfDefaults(edit, module, added);
}

function addOptionals(edit: FileEdit, fields: readonly LinkedField[], model: ts.SourceFile): void {
  const optionals = fields.filter(({ optional }) => optional);
  const list = arrayIn(edit.source, 'OPTIONAL');
  const added = statementOf(arrayIn(model, 'OPTIONAL'));
  if (list) for (const { name } of optionals) addElement(edit, list, `'${name}'`);
  else if (added) edit.insert(placeOfConstants(edit.source), `\n${added.getText()}\n`);
}

function addTests(
  edit: FileEdit,
  module: ExistingModule,
  fields: readonly LinkedField[],
  { model, before }: { readonly model: ts.SourceFile; readonly before: ts.SourceFile },
): void {
  const known = testsIn(before).map(({ title }) => title);
  const there = testsIn(edit.source);
  for (const test of testsIn(model)) {
    const twin = there.find(({ title }) => title === test.title);
    const names = namesIn(test.cases).filter((name) => fields.some((field) => field.name === name));
    if (twin?.cases) for (const name of names) addElement(edit, twin.cases, `'${name}'`);
    else if (
      !twin &&
      !known.includes(test.title) &&
      suits(test, edit.source, module) &&
      !isAnother(test, there)
    ) {
      addTest(edit, withSample(test.statement.getText(), edit.source, `new${module.singular.pascal}`));
      importWhatIsUsed(edit, [test.statement], model);
    }
  }
}

/** True for a test of what a creation may leave out, where there is one already under another title. */
function isAnother({ statement }: TestCall, there: readonly TestCall[]): boolean {
  const isOfOptional = (node: ts.Node) => node.getText().includes('OPTIONAL');
  return isOfOptional(statement) && there.some((each) => isOfOptional(each.statement));
}

/** The text of a test with the sample as the tests of the module have it: in a variable, or made by a function. */
function withSample(text: string, spec: ts.SourceFile, sample: string): string {
  const isMade = new RegExp(`function ${sample}\\b`).test(spec.text);
  return isMade
    ? text.replaceAll(new RegExp(`\\.\\.\\.${sample}\\b(?!\\()`, 'g'), `...(await ${sample}())`)
    : text;
}

/**
 * Adds a test for each default that a creation may leave to the service. Values that the tests send already stay as they are.
 */
function addTestsOfDefaults(edit: FileEdit, module: ExistingModule, { fields, owned }: AddedFields): void {
  const { plural, singular, withArticle } = module;
  const sample = `new${singular.pascal}`;
  const sent = new RegExp(`function ${sample}\\b`).test(edit.source.text) ? `await ${sample}()` : sample;
  const defaults = [
    ...fields.map((field) => codedField(field, singular.words)),
    ...owned.map(({ name }) => ({ name, testDefault: '[]' })),
  ];
  for (const { name, testDefault } of defaults) {
    if (testDefault === undefined) continue;
    addTest(
      edit,
      `it('stores the default ${name} of ${withArticle} that was added without one', async () => {
        const { ${name}: _, ...others } = ${sent};
        const created = await service.post('/v1/${plural.kebab}', others);
        expect(created.status).toBe(201);
        expect(await created.json()).toMatchObject({ ${name}: ${testDefault} });
      });`,
    );
  }
}

/** True if the module serves the operations and has the functions that a test uses. */
function suits({ statement }: TestCall, spec: ts.SourceFile, module: ExistingModule): boolean {
  const { plural, singular } = module;
  const text = statement.getText();
  const declares = (name: string) => new RegExp(`function ${name}\\b`).test(spec.text);
  return (
    (!text.includes('service.post(') || serves(module, `create${singular.pascal}`)) &&
    (!text.includes('service.patch(') || serves(module, `update${singular.pascal}`)) &&
    (!/read\(`\/v1\/[a-z-]+[`?]/.test(text) || serves(module, `list${plural.pascal}`)) &&
    (!text.includes('read(') || declares('read')) &&
    (!text.includes(`new${singular.pascal}()`) || declares(`new${singular.pascal}`))
  );
}

function serves({ sources }: ExistingModule, handler: string): boolean {
  const controller = sources.find(({ fileName }) => fileName.endsWith('.controller.ts'))?.text ?? '';
  return controller.includes(`${handler}(`);
}

/** The object literals that are assigned to a variable, or returned by a function of the name. */
function sampleOf(source: ts.SourceFile, name: string): ts.ObjectLiteralExpression[] {
  const made = nodesOf(source)
    .filter((node) => ts.isFunctionDeclaration(node))
    .filter((node) => node.name?.text === name);
  return [...sampleIn(source, name), ...made.flatMap(returnedLiterals)];
}

/** The object literals that are assigned to a variable. */
export function sampleIn(source: ts.SourceFile, name: string): ts.ObjectLiteralExpression[] {
  return nodesOf(source).flatMap((node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name) return objectOf(node.initializer);
    return ts.isBinaryExpression(node) && node.left.getText() === name ? objectOf(node.right) : [];
  });
}

function objectOf(node: ts.Expression | undefined): ts.ObjectLiteralExpression[] {
  return node && ts.isObjectLiteralExpression(node) ? [node] : [];
}

function arrayIn(source: ts.SourceFile, name: string): ts.ArrayLiteralExpression | undefined {
  return nodesOf(source)
    .filter((node) => ts.isVariableDeclaration(node))
    .filter((node) => node.name.getText() === name)
    .map(({ initializer }) => initializer)
    .filter((initializer) => initializer !== undefined)
    .find((initializer) => ts.isArrayLiteralExpression(initializer));
}

function statementOf(node: ts.Node | undefined): ts.Node | undefined {
  return node && ts.isVariableStatement(node) ? node : node?.parent && statementOf(node.parent);
}

/** Position after the imports. */
function placeOfConstants(source: ts.SourceFile): number {
  const last = source.statements.findLast((statement) => ts.isImportDeclaration(statement));
  return last ? last.end + 1 : 0;
}

function namesIn(cases: ts.ArrayLiteralExpression | undefined): string[] {
  return [...(cases?.elements ?? [])]
    .filter((element) => ts.isStringLiteralLike(element))
    .map(({ text }) => text);
}
