import ts from 'typescript';
import type { Changes } from '../edit/changes.ts';
import { decoratorName, decoratorsOf, propertyIn } from '../edit/classes.ts';
import { memberIn } from '../edit/literals.ts';
import { addTest, testsIn } from '../edit/tests.ts';
import { nodesOf } from '../text/sources.ts';
import { sampleIn } from '../field/spec-edits.ts';
import { classOf, type ExistingModule, type StoredMember } from '../module/existing-module.ts';

/** An option of a member's decorator in the body of a creation, such as `maxLength`. */
export function bodyOption(module: ExistingModule, member: string, option: string): string | undefined {
  const body = classOf(module, `New${module.singular.pascal}Dto`);
  const property = body && propertyIn(body.node, member);
  const assignments = property ? nodesOf(property).filter((node) => ts.isPropertyAssignment(node)) : [];
  return assignments.find(({ name }) => name.getText() === option)?.initializer.getText();
}

/** Length within which a word and a number fit. */
const WORD_AND_NUMBER = 12;

/** Makes the tests of a module send another value of a member each time, and adds a test of the refusal. */
export function varyValues(changes: Changes, module: ExistingModule, member: StoredMember): void {
  const { plural, singular, folder } = module;
  const end = `/${plural.kebab}.spec.ts`;
  const spec = module.sources.find(({ fileName }) => fileName.endsWith(end));
  const name = `new${singular.pascal}`;
  const [literal] = spec ? sampleIn(spec, name) : [];
  const setup = `// The values are unique, and samples have values of their own.
  let distinct = 1_000_000;
  beforeEach(() => {
    distinct += 1;
    ${name} = { ...${name}, ${member.name}: ${valueOf(module, member, 'distinct')} };
  });`;
  const test = `it('refuses a ${member.name} that another ${singular.words} has', async () => {
    expect((await service.post('/v1/${plural.kebab}', ${name})).status).toBe(201);
    const refused = await service.post('/v1/${plural.kebab}', ${name});
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'duplicate_value' });
  });`;
  const first = spec && testsIn(spec)[0];
  if (!spec || !literal || !first || !memberIn(literal, member.name)) {
    const lines = [...setup.split('\n'), '', ...test.split('\n')];
    changes.leaveByHand(`${folder}${end}`, 'where it adds one', lines);
    return;
  }
  const edit = changes.edit(spec.fileName);
  edit.insert(first.statement.getStart(), `${setup}\n\n`);
  addTest(edit, test);
}

/** An expression whose value differs for each number. */
function valueOf(module: ExistingModule, { name, node }: StoredMember, number: string): string {
  const column = decoratorsOf(node)
    .map(decoratorName)
    .find((each) => each.endsWith('Column'));
  switch (column) {
    case 'DateColumn':
      return `new Date(Date.UTC(2000, 0, ${number})).toISOString().slice(0, 10)`;
    case 'InstantColumn':
      return `new Date(Date.UTC(2000, 0, ${number})).toISOString()`;
    case 'UuidColumn':
      return `\`9f1c7a52-2f6c-4b5a-9a53-\${String(${number}).padStart(12, '0')}\``;
    case 'TextColumn':
      if (bodyOption(module, name, 'pattern') !== undefined) {
        return `\`one that fits the pattern \${${number}}\``;
      }
      return Number(bodyOption(module, name, 'maxLength')) < WORD_AND_NUMBER
        ? `${number}.toString(36).padEnd(${bodyOption(module, name, 'minLength') ?? 0}, '-')`
        : `\`text \${${number}}\``;
    default:
      return number;
  }
}
