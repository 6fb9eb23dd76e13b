import ts from 'typescript';
import { nodesOf } from '../../schematics/feature/sources.ts';
import { isProduction, type Rule } from './import-rules';
import { violation } from './source-files';

/** Decorators whose first argument is the name, and how many arguments there are when it is given. */
const NAMED_FIRST: Readonly<Record<string, number>> = { Index: 1, Unique: 1, Check: 2, Exclusion: 2 };

/** Decorators of columns and the option that names the constraint. */
const NAMED_BY_OPTION: Readonly<Record<string, string>> = {
  PrimaryColumn: 'primaryKeyConstraintName',
  PrimaryGeneratedColumn: 'primaryKeyConstraintName',
  JoinColumn: 'foreignKeyConstraintName',
  JoinTable: 'foreignKeyConstraintName',
};

/**
 * Every index and constraint of an entity has a name of its own: those TypeORM makes up are hashes, and change with the
 * columns.
 */
export const entitiesNameTheirConstraints: Rule = (files) =>
  files
    .filter((file) => isProduction(file) && file.path.endsWith('.entity.ts'))
    .flatMap((file) =>
      nodesOf(file.tree)
        .filter((node) => ts.isDecorator(node))
        .flatMap((node) => {
          const complaint = complaintAbout(node);
          return complaint === undefined ? [] : [violation(file, node, complaint)];
        }),
    );

function complaintAbout(decorator: ts.Decorator): string | undefined {
  if (!ts.isCallExpression(decorator.expression)) return undefined;
  const name = decorator.expression.expression.getText();
  const [first, ...others] = decorator.expression.arguments;
  const isNamed = first && ts.isStringLiteralLike(first) && others.length + 1 >= (NAMED_FIRST[name] ?? 0);
  const option = NAMED_BY_OPTION[name];
  if (name in NAMED_FIRST && !isNamed) return `@${name} has no name.`;
  if (option !== undefined && !hasOption(decorator, option)) return `@${name} has no ${option}.`;
  if (name !== 'Index' && hasOption(decorator, 'unique'))
    return `@${name} has an unnamed unique constraint: use @Unique.`;
  if (name === 'ManyToOne' && !decoratorsBeside(decorator).includes('JoinColumn')) {
    return '@ManyToOne has no @JoinColumn that names its foreign key.';
  }
  return undefined;
}

function hasOption(decorator: ts.Decorator, option: string): boolean {
  return nodesOf(decorator).some((node) => ts.isPropertyAssignment(node) && node.name.getText() === option);
}

function decoratorsBeside(decorator: ts.Decorator): string[] {
  const { parent } = decorator;
  if (!ts.canHaveDecorators(parent)) return [];
  return (ts.getDecorators(parent) ?? [])
    .map(({ expression }) => expression)
    .filter((expression) => ts.isCallExpression(expression))
    .map((expression) => expression.expression.getText());
}

/** Entities whose texts the service writes itself, and keeps short. */
const OWN_TEXTS = /^src\/(platform|admin|auth)\//;

/**
 * A text that a client writes may be of any length, and PostgreSQL refuses a row whose entry in a B-tree would be too long: so an
 * index covers its beginning (`createTextIndex`), and the entity declares it on the property.
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
      .filter((name) => isIndex(decorator) && namesIn(decorator).includes(name))
      .map((name): [ts.Decorator, string] => [decorator, name]),
  );
  const onProperties = texts.flatMap((text) =>
    (ts.getDecorators(text) ?? [])
      .filter((decorator) => isIndex(decorator) && !hasOption(decorator, 'synchronize'))
      .map((decorator): [ts.Decorator, string] => [decorator, text.name.getText()]),
  );
  return [...onClass, ...onProperties];
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

function isIndex(decorator: ts.Decorator): boolean {
  return /^@(Index|Unique)\(/.test(decorator.getText());
}

/** The properties that the decorator of a class names. */
function namesIn(decorator: ts.Decorator): string[] {
  return nodesOf(decorator)
    .filter((node) => ts.isArrayLiteralExpression(node))
    .flatMap(({ elements }) => elements.filter((element) => ts.isStringLiteralLike(element)))
    .map(({ text }) => text);
}
