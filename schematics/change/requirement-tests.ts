import ts from 'typescript';
import { constantOf, type Part } from '../remove/test-edits.ts';

/** True for a part of a test that leaves a field out or removes it, and for what is expected of that. */
export function isOptionality({ node }: Part, parts: readonly Part[]): boolean {
  const removals = parts.map((part) => part.node).filter(isNull);
  if (removals.includes(node)) return true;
  if (!ts.isArrayLiteralExpression(node.parent)) return false;
  const test = testOf(node);
  const isOfOptional = constantOf(node)?.declarationList.declarations.some(
    (each) => each.name.getText() === 'OPTIONAL',
  );
  return isOfOptional === true || removals.some((each) => test !== undefined && testOf(each) === test);
}

/** True for a default that a test of creations expects: `{ ...required, city: 'Ulm' }`. */
export function isOfDefault({ list, node }: Part): boolean {
  return (
    ts.isPropertyAssignment(node) &&
    list.some((each) => ts.isSpreadAssignment(each) && each.expression.getText() === 'required')
  );
}

function isNull(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node) && node.initializer.kind === ts.SyntaxKind.NullKeyword;
}

/** The test that a node is in. */
function testOf(node: ts.Node): ts.Node | undefined {
  return ts.findAncestor(
    node,
    (each) => ts.isCallExpression(each) && /^it\b/.test(each.expression.getText()),
  );
}
