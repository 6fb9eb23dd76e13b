import ts from 'typescript';
import { nodesOf } from '@petstore/create/sources';
import { isProduction, type Rule } from './import-rules';
import { violation } from './source-files';

/** Entities whose texts the service writes itself, and keeps short. */
const OWN_TEXTS = /^src\/(platform|admin|auth)\//;

/**
 * A text that a client writes may be of any length, and PostgreSQL refuses a row whose entry in a B-tree would be too long: so an
 * index covers its beginning (`createTextIndex`), and the entity declares it with `synchronize: false`.
 */
export const longTextsAreIndexedByTheirBeginning: Rule = (files) =>
  files
    .filter((file) => isProduction(file) && file.path.endsWith('.entity.ts') && !OWN_TEXTS.test(file.path))
    .flatMap((file) =>
      nodesOf(file.tree)
        .filter((node) => ts.isClassDeclaration(node))
        .flatMap((entity) => wholeTextIndexes(entity))
        .map(([node, name]) =>
          violation(
            file,
            node,
            `has an index or constraint on the whole text ${name}: see "An index on a text" in docs/schema-changes.md.`,
          ),
        ),
    );

/** Decorators that would put a whole text into an index, and the property that holds it. */
function wholeTextIndexes(entity: ts.ClassDeclaration): [ts.Decorator, string][] {
  const texts = entity.members
    .filter((member) => ts.isPropertyDeclaration(member))
    .filter((member) => isFreeText(member) && !isLimited(entity, member));
  const onClass = (ts.getDecorators(entity) ?? []).flatMap((decorator) =>
    texts
      .map((text) => text.name.getText())
      .filter((name) => isWhole(decorator) && namesIn(decorator).includes(name))
      .map((name): [ts.Decorator, string] => [decorator, name]),
  );
  const onProperties = texts.flatMap((text) =>
    (ts.getDecorators(text) ?? [])
      .filter((decorator) => isWhole(decorator))
      .map((decorator): [ts.Decorator, string] => [decorator, text.name.getText()]),
  );
  return [...onClass, ...onProperties];
}

function hasOption(decorator: ts.Decorator, option: string): boolean {
  return nodesOf(decorator).some((node) => ts.isPropertyAssignment(node) && node.name.getText() === option);
}

function isFreeText(property: ts.PropertyDeclaration): boolean {
  return hasDecorator(property, 'TextColumn') && /\bstring\b/.test(property.type?.getText() ?? '');
}

/** As many characters fit into an index, whatever they are. */
const MOST_CHARACTERS = 500;

/** Whether a check of the table keeps a text short: `length("tax_number") <= 30`. */
function isLimited(entity: ts.ClassDeclaration, property: ts.PropertyDeclaration): boolean {
  const column = /name: '(\w+)'/.exec(property.getText())?.[1] ?? property.name.getText();
  const limit = new RegExp(`length\\("${column}"\\) (?:<=|BETWEEN \\d+ AND) (\\d+)`);
  return (ts.getDecorators(entity) ?? [])
    .filter((decorator) => decorator.getText().startsWith('@Check('))
    .map((decorator) => Number(limit.exec(decorator.getText())?.[1] ?? Infinity))
    .some((characters) => characters <= MOST_CHARACTERS);
}

function hasDecorator(node: ts.HasDecorators, name: string): boolean {
  return (ts.getDecorators(node) ?? []).some((decorator) => decorator.getText().startsWith(`@${name}(`));
}

/** Whether TypeORM makes the index: one of `createTextIndex` covers the beginning. */
function isWhole(decorator: ts.Decorator): boolean {
  return /^@(Index|Unique)\(/.test(decorator.getText()) && !hasOption(decorator, 'synchronize');
}

/** The properties that the decorator of a class names. */
function namesIn(decorator: ts.Decorator): string[] {
  return nodesOf(decorator)
    .filter((node) => ts.isArrayLiteralExpression(node))
    .flatMap(({ elements }) => elements.filter((element) => ts.isStringLiteralLike(element)))
    .map(({ text }) => text);
}
