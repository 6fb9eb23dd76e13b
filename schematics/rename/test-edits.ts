import ts from 'typescript';
import type { Changes } from '../edit/changes.ts';
import { addElement, addMember } from '../edit/literals.ts';
import { addTest, testsIn } from '../edit/tests.ts';
import { codedField } from '../feature/field-code.ts';
import type { LinkedField } from '../feature/references.ts';
import { partsOf } from '../remove/test-edits.ts';
import { type Rename, testTitle } from './names.ts';

/** Gives the new name a place wherever the tests of a module have the old one, and adds a test of both. */
export function beginInTests(changes: Changes, rename: Rename, field: LinkedField): void {
  const { module, from, to } = rename;
  const end = `/${module.plural.kebab}.spec.ts`;
  for (const source of module.sources.filter(({ fileName }) => fileName.endsWith('.spec.ts'))) {
    for (const { node } of partsOf(source, from)) {
      const { parent } = node;
      const edit = changes.edit(source.fileName);
      if (ts.isArrayLiteralExpression(parent)) addElement(edit, parent, `'${to}'`);
      if (!ts.isObjectLiteralExpression(parent) || !ts.isPropertyAssignment(node)) continue;
      const value = node.initializer.getText();
      if (value !== 'null') addMember(edit, parent, `${to}: ${value}`);
    }
  }
  const spec = module.sources.find(({ fileName }) => fileName.endsWith(end));
  const code = testCode(rename, field);
  if (spec && /\baddSample\b/.test(spec.text)) addTest(changes.edit(spec.fileName), code);
  else changes.leaveByHand(`${module.folder}${end}`, 'among the tests', code.split('\n'));
}

/** Removes the test of both names. A test that removes the value goes on with the new name. */
export function endInTests(changes: Changes, { module, from, to }: Rename): void {
  for (const source of module.sources.filter(({ fileName }) => fileName.endsWith('.spec.ts'))) {
    for (const { node } of partsOf(source, from)) {
      const isRemoved = ts.isPropertyAssignment(node) && node.initializer.getText() === 'null';
      if (isRemoved) changes.edit(source.fileName).replace(node.name, to);
    }
    const tests = testsIn(source).filter(({ title }) => title === testTitle({ from, to }));
    for (const { statement } of tests) changes.edit(source.fileName).removeWhole(statement);
  }
}

function testCode({ module, from, to }: Rename, field: LinkedField): string {
  const { plural, singular } = module;
  const [first, second] = codedField(field, singular.words).testValues;
  return `  it('${testTitle({ from, to })}', async () => {
    const path = \`/v1/${plural.kebab}/\${await addSample(service, '/${plural.kebab}')}\`;
    const change = async (patch: object) => (await service.patch(path, patch)).json();
    const [first, second] = [${first}, ${second}];
    expect(await change({ ${to}: first })).toMatchObject({ ${from}: first, ${to}: first });
    expect(await change({ ${from}: second, ${to}: first })).toMatchObject({ ${from}: second, ${to}: second });
  });`;
}
