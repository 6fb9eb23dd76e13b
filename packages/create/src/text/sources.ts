import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';

/**
 * The production files below `src` that contain one of these texts, parsed; their names are paths from the root of the project.
 * Parsing all files would take a second.
 */
export function readSourcesWith(tree: Tree, texts: readonly string[]): ts.SourceFile[] {
  return pathsBelow(tree, 'src')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => [path, tree.readText(path)] as const)
    .filter(([, text]) => texts.some((part) => text.includes(part)))
    .map(([path, text]) => parse(path, text));
}

/** The files below a folder, as paths from the root of the project. */
export function pathsBelow(tree: Tree, folder: string): string[] {
  const paths: string[] = [];
  tree.getDir(folder).visit((path) => paths.push(path.slice(1)));
  return paths;
}

/** The syntax tree of a file. */
export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** A node and every node in it, outermost first. */
export function nodesOf(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return nodes;
}

/** A call of a function, a decorator or a constructor, by name. */
export interface Call {
  readonly name: string;
  readonly arguments: readonly ts.Expression[];
  readonly isDecorator: boolean;
}

/** The call that a node is; undefined if it is not a call of a plain name. */
export function callOf(node: ts.Node): Call | undefined {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  if (!ts.isIdentifier(node.expression)) return undefined;
  return {
    name: node.expression.text,
    arguments: node.arguments ?? [],
    isDecorator: ts.isDecorator(node.parent),
  };
}

/** The text of an argument or, if the argument is an object, of one of its members. */
export function textIn(argument: ts.Expression | undefined, member: string): string | undefined {
  if (argument && ts.isObjectLiteralExpression(argument)) {
    const property = argument.properties.find(({ name }) => name?.getText() === member);
    return property && ts.isPropertyAssignment(property) ? textIn(property.initializer, member) : undefined;
  }
  return argument && ts.isStringLiteralLike(argument) ? argument.text : undefined;
}
