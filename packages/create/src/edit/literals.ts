import ts from 'typescript';
import { nodesOf } from '../text/sources.ts';

/** The member of a name. */
export function memberIn(
  literal: ts.ObjectLiteralExpression,
  name: string,
): ts.ObjectLiteralElementLike | undefined {
  return literal.properties.find((property) => property.name?.getText() === name);
}

/** Calls of a method of this name, on any object. */
export function callsOf(root: ts.Node, method: string): ts.CallExpression[] {
  return nodesOf(root)
    .filter((node) => ts.isCallExpression(node))
    .filter(({ expression }) => ts.isPropertyAccessExpression(expression) && expression.name.text === method);
}

/**
 * The object literals that are the value of an expression: itself, or the results of arrow functions in it (`pets.map((pet) =>
 * ({ ... }))`).
 */
export function literalsOf(expression: ts.Expression | undefined): ts.ObjectLiteralExpression[] {
  if (!expression) return [];
  const plain = unwrapped(expression);
  if (ts.isObjectLiteralExpression(plain)) return [plain];
  return nodesOf(plain)
    .filter((node) => ts.isArrowFunction(node))
    .map(({ body }) => (ts.isBlock(body) ? undefined : unwrapped(body)))
    .filter((body) => body !== undefined && ts.isObjectLiteralExpression(body));
}

/** Strips parentheses, `as` and `satisfies` from an expression. */
function unwrapped(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isAsExpression(expression)
    ? unwrapped(expression.expression)
    : expression;
}
