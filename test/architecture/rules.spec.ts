import { join } from 'node:path';
import { CODE_CASES } from './code-cases';
import { CYCLE_CASES } from './cycle-cases';
import { IMPORT_CASES } from './import-cases';
import { parseSourceFiles, readSourceFiles } from './source-files';

const cases = Object.entries({ ...IMPORT_CASES, ...CYCLE_CASES, ...CODE_CASES });
const folders = [
  'src',
  'test',
  'bench',
  ...['src', 'generate', 'test'].map((name) => `packages/client/${name}`),
  ...['src', 'test'].map((name) => `packages/create/${name}`),
  ...['src', 'test'].map((name) => `packages/mcp/${name}`),
  ...['src', 'test'].map((name) => `packages/migrations/${name}`),
];
// What is generated is as long as the document is.
const project = readSourceFiles(join(__dirname, '..', '..'), folders).filter(
  ({ path }) => !path.includes('/generated/'),
);

describe.each(cases)('The rule "%s"', (_title, { rule, keeps, breaks, violations }) => {
  it('holds in this project', () => {
    expect(project.length).toBeGreaterThan(100);
    expect(rule(project)).toEqual([]);
  });

  it('accepts code that keeps the rule', () => {
    expect(rule(parseSourceFiles(keeps))).toEqual([]);
  });

  it('names file and line of code that breaks the rule', () => {
    expect(rule(parseSourceFiles(breaks))).toEqual(violations);
  });
});
