import ts from 'typescript';
import { nodesOf } from '../text/sources.ts';
import type { FileEdit } from './file-edit.ts';

/** A test: `it('lists pets', …)`. */
export interface TestCall {
  readonly title: string;
  readonly statement: ts.Node;
  /** The array of `it.each([...])`. */
  readonly cases: ts.ArrayLiteralExpression | undefined;
}

/** The tests of a file, in their order. */
export function testsIn(source: ts.SourceFile): TestCall[] {
  return nodesOf(source)
    .filter((node) => ts.isExpressionStatement(node))
    .flatMap((statement) => {
      const call = statement.expression;
      if (!ts.isCallExpression(call) || !/^it\b/.test(call.expression.getText())) return [];
      const [title] = call.arguments;
      const cases = ts.isCallExpression(call.expression) ? call.expression.arguments[0] : undefined;
      return title && ts.isStringLiteralLike(title)
        ? [
            {
              title: title.text,
              statement,
              cases: cases && ts.isArrayLiteralExpression(cases) ? cases : undefined,
            },
          ]
        : [];
    });
}

/** Adds a test after the last one. */
export function addTest(edit: FileEdit, text: string): void {
  edit.insert((testsIn(edit.source).at(-1)?.statement ?? edit.source).end, `\n\n${text}`);
}
