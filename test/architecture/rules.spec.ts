import { join } from 'node:path';
import { CODE_CASES } from './code-cases';
import { IMPORT_CASES } from './import-cases';
import { parseSourceFiles, readSourceFiles } from './source-files';

const cases = Object.entries({ ...IMPORT_CASES, ...CODE_CASES });
const folders = [
  'src',
  'test',
  'bench',
  'schematics',
  ...['src', 'generate', 'test'].map((name) => `packages/client/${name}`),
  ...['src', 'test'].map((name) => `packages/tools/${name}`),
];
// What is generated is as long as the document is.
const project = readSourceFiles(join(__dirname, '..', '..'), folders).filter(
  ({ path }) => !path.includes('/generated/'),
);

describe.each(cases)('%s', (_title, { rule, keeps, breaks, violations }) => {
  it('in this project', () => {
    expect(project.length).toBeGreaterThan(100);
    expect(rule(project)).toEqual([]);
  });

  it('and what keeps the rule is let pass', () => {
    expect(rule(parseSourceFiles(keeps))).toEqual([]);
  });

  it('and what breaks it is named, with its file and line', () => {
    expect(rule(parseSourceFiles(breaks))).toEqual(violations);
  });
});
