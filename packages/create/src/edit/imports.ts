import ts from 'typescript';
import { nodesOf } from '../text/sources.ts';

/** A name that a file imports from another one. */
export interface Import {
  readonly name: string;
  readonly from: string;
  /** True if it is imported with `type`. */
  readonly isType: boolean;
}

/** The names that a file imports. */
function importsOf(source: ts.SourceFile): Import[] {
  return namedImports(source).flatMap(({ from, isType, list }) =>
    list.elements.map((element) => ({
      name: element.name.text,
      from,
      isType: isType || element.isTypeOnly,
    })),
  );
}

/** The imports of a file whose names some of its code uses. */
export function importsUsedBy(code: ts.Node, source: ts.SourceFile): Import[] {
  const names = nodesOf(code).filter((node) => ts.isIdentifier(node));
  const used = new Set(names.map(({ text }) => text));
  return importsOf(source).filter(({ name }) => used.has(name));
}

/** A text to insert into a file. */
export interface Insertion {
  readonly at: number;
  /** End of the replaced text; unless given, nothing is replaced. */
  readonly end?: number;
  readonly text: string;
}

/** Insertions by which a file imports names; names that are imported already stay as they are. */
export function importing(source: ts.SourceFile, wanted: readonly Import[]): Insertion[] {
  const there = new Set(importsOf(source).map(({ name }) => name));
  const missing = wanted.filter(
    ({ name }, index) => !there.has(name) && wanted.findIndex((other) => other.name === name) === index,
  );
  return [...Map.groupBy(missing, keyOf).values()].flatMap((group) => importingGroup(source, group));
}

/** @param group names that one declaration can import */
function importingGroup(source: ts.SourceFile, group: readonly Import[]): Insertion[] {
  const [{ from, isType }] = group as [Import];
  const names = group.map(({ name }) => name).sort();
  const list = namedImports(source).find((each) => keyOf(each) === keyOf({ from, isType }))?.list;
  const last = list?.elements.at(-1);
  if (!list || !last) {
    const text = `import ${isType ? 'type ' : ''}{ ${names.join(', ')} } from '${from}';\n`;
    return [{ at: placeOfImports(source), text }];
  }
  return names.map((name) => {
    const next = list.elements.find((element) => element.name.text > name);
    return next ? { at: next.getStart(), text: `${name}, ` } : { at: last.end, text: `, ${name}` };
  });
}

function keyOf({ from, isType }: Pick<Import, 'from' | 'isType'>): string {
  return `${isType ? 'type ' : ''}${from}`;
}

/** Position after the last import; in a file without imports, its beginning. */
function placeOfImports(source: ts.SourceFile): number {
  const last = source.statements.findLast((statement) => ts.isImportDeclaration(statement));
  return last ? source.text.indexOf('\n', last.end) + 1 || last.end : 0;
}

function namedImports(source: ts.SourceFile) {
  return source.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .flatMap((declaration) => {
      const { importClause, moduleSpecifier } = declaration;
      const list = importClause?.namedBindings;
      return list && ts.isNamedImports(list) && ts.isStringLiteral(moduleSpecifier)
        ? [
            {
              declaration,
              from: moduleSpecifier.text,
              isType: importClause.phaseModifier === ts.SyntaxKind.TypeKeyword,
              list,
            },
          ]
        : [];
    });
}
