import ts from 'typescript';
import { callOf, nodesOf, textIn } from '../text/sources.ts';

/** Kinds of names that two features cannot share; `name` is that of a class or a schema. */
export type UseKind = 'name' | 'table' | 'constraint' | 'path' | 'error code';

/** A name that a file declares. */
export interface Use {
  readonly kind: UseKind;
  readonly text: string;
  /** Path of the file. */
  readonly path: string;
}

/** Everything a file declares that must be unique in the service. */
export function usesOf(source: ts.SourceFile): Use[] {
  return nodesOf(source).flatMap((node) =>
    [...declaredBy(node), ...calledBy(node), ...constraintsIn(node)].map((use) => ({
      ...use,
      path: source.fileName,
    })),
  );
}

type Found = Omit<Use, 'path'>;

const NAME = /^[A-Z][A-Za-z0-9]*$/;
const CONSTRAINT = /^(?:pk|fk|uq|idx|chk)_[a-z0-9_]+$/;

function declaredBy(node: ts.Node): Found[] {
  const isExported =
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return [];
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.flatMap(({ name }) => named(name.getText()));
  }
  return ts.isDeclarationStatement(node) && node.name ? named(node.name.getText()) : [];
}

function calledBy(node: ts.Node): Found[] {
  const call = callOf(node);
  if (!call) return [];
  const [first, second] = call.arguments;
  const found = (kind: UseKind, text: string | undefined) => (text === undefined ? [] : [{ kind, text }]);
  switch (call.name) {
    case 'Entity':
    case 'Table':
      return found('table', textIn(first, 'name'));
    case 'Controller':
      return found('path', textIn(first, 'path'));
    case 'ApiSchema':
      return named(textIn(first, 'name'));
    case 'defineError':
      return found('error code', textIn(first, 'code'));
    default:
      // @PageResponse(PetDto, 'Pets', …) makes a schema; @EnumField(PetStatus, 'PetStatus', …) names one that is declared.
      return call.isDecorator && first && ts.isIdentifier(first) && first.text !== textIn(second, 'name')
        ? named(textIn(second, 'name'))
        : [];
  }
}

function constraintsIn(node: ts.Node): Found[] {
  return ts.isStringLiteralLike(node) && CONSTRAINT.test(node.text)
    ? [{ kind: 'constraint', text: node.text }]
    : [];
}

function named(text: string | undefined): Found[] {
  return text !== undefined && NAME.test(text) ? [{ kind: 'name', text }] : [];
}
