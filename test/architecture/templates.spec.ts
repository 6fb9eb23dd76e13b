import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');

/** What templates write as it is: other templates, and parts that are HTML already. */
const WRITTEN_RAW = new Set(['include(…)', 'it.body', 'actions', 'html']);

/** The outputs of a template that are not escaped, `<%~ … %>`, without the arguments of a call. */
function rawOutputs(template: string): string[] {
  return [...template.matchAll(/<%[-_]?~\s*([\s\S]*?)\s*[-_]?%>/g)].map(([, written = '']) =>
    written.replace(/\([\s\S]*\)$/, '(…)'),
  );
}

describe('Templates', () => {
  const paths = globSync('src/**/*.eta', { cwd: PROJECT });

  it('escape all but other templates and what is HTML already: a value may be anything that a client sent', () => {
    expect(paths).not.toEqual([]);
    const others = paths.flatMap((path) =>
      rawOutputs(readFileSync(join(PROJECT, path), 'utf8'))
        .filter((written) => !WRITTEN_RAW.has(written))
        .map((written) => `${path}: ${written}`),
    );
    expect(others).toEqual([]);
  });

  it('are found to write a value as it is', () => {
    const template = "<%~ include('/a', { b: c(1) }) %><%= it.b %><%~ it.error %>";
    expect(rawOutputs(template)).toEqual(['include(…)', 'it.error']);
  });
});
