import ts from 'typescript';

/** A source text as the compiler prints it, without comments, texts and numbers; what imports name stays. */
export function codeShape(text: string): string {
  const source = ts.createSourceFile('shape.ts', text, ts.ScriptTarget.Latest, true);
  const { transformed } = ts.transform(source, [
    (context) => (root) => ts.visitEachChild(root, (node) => withoutValues(node, context), context),
  ]);
  return ts.createPrinter({ removeComments: true }).printFile(transformed[0] as ts.SourceFile);
}

function withoutValues(node: ts.Node, context: ts.TransformationContext): ts.Node {
  if (ts.isImportDeclaration(node)) return node;
  if (ts.isNumericLiteral(node)) return ts.factory.createNumericLiteral(0);
  if (ts.isStringLiteral(node)) return ts.factory.createStringLiteral('');
  return ts.visitEachChild(node, (child) => withoutValues(child, context), context);
}
