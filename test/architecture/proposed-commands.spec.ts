import ts from 'typescript';
import { nodesOf } from '@petstore/create/sources';
import { withCalls } from '../../src/platform/config/called-as';
import { inertProgram } from '../cli/support/command-tree';
import { readSourceFiles, type SourceFile, violation } from './source-files';

/** Texts of a file with their places; what they include is written as `x`. */
function textsOf({ tree }: SourceFile): [node: ts.Node, text: string][] {
  return nodesOf(tree).flatMap((node): [ts.Node, string][] => {
    if (ts.isStringLiteralLike(node)) return [[node, node.text]];
    if (!ts.isTemplateExpression(node)) return [];
    return [[node, node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('')]];
  });
}

describe('A command that a text proposes', () => {
  it('is written as the person calls the command line', async () => {
    const names = (await inertProgram()).commands.map((command) => command.name());
    const call = new RegExp(`\\bpetstore (?:x|${names.join('|')})(?![\\w-])`);
    const files = readSourceFiles('.', ['src']).filter(({ path }) => !path.endsWith('.spec.ts'));
    const texts = files.flatMap((file) => textsOf(file).map(([node, text]) => [file, node, text] as const));
    expect(texts.filter(([, , text]) => call.test(text)).length).toBeGreaterThan(50);
    const left = texts.filter(([, , text]) => call.test(withCalls(text, 'node cli.js')));
    expect(left.map(([file, node, text]) => violation(file, node, text))).toEqual([]);
  });
});
