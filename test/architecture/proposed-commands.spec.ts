import ts from 'typescript';
import { nodesOf } from '@petstore/create/sources';
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
    const files = readSourceFiles('.', ['src']).filter(
      // The pages about settings are read where nobody has called anything.
      ({ path }) => !/\.spec\.ts$|config\/settings(-docs)?\.ts$/.test(path),
    );
    const texts = files.flatMap((file) => textsOf(file).map(([node, text]) => [file, node, text] as const));
    const asked = files.flatMap(({ text }) => text.match(/\$\{petstore\(\)\} /g) ?? []);
    expect(asked).not.toEqual([]);
    const left = texts.filter(([, , text]) => call.test(text));
    expect(left.map(([file, node, text]) => violation(file, node, text))).toEqual([]);
  });
});
