import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { classesOf, classIn, decoratorName, decoratorsOf, propertiesOf } from '../edit/classes.ts';
import { FEATURES } from '../feature/feature-list.ts';
import { type FeatureNames, featureNames, inflect } from '../feature/names.ts';
import { parse, pathsBelow, textIn } from '../text/sources.ts';
import { spell, wordsOf } from '../text/spelling.ts';
import { INDEX, isRepository } from './repository.ts';
import { Refusal } from '../refusal.ts';

/** An existing module, whatever has changed in it since it was generated. */
export interface ExistingModule extends FeatureNames {
  /** `src/orders` */
  readonly folder: string;
  /** The TypeScript files below the folder, tests included. */
  readonly sources: readonly ts.SourceFile[];
  readonly entity: Declared<ts.ClassDeclaration>;
}

/** A declaration and the file that has it. */
export interface Declared<Node extends ts.Node> {
  readonly path: string;
  readonly source: ts.SourceFile;
  readonly node: Node;
}

/** Decorators of the columns that the database fills in, at the end of an entity. */
const KEPT_BY_THE_TABLE: ReadonlySet<string> = new Set(['CreatedAtColumn', 'RemovedAtColumn']);

/**
 * Finds a module by its name, in singular or plural.
 *
 * @throws Refusal
 */
export function readModule(tree: Tree, name: string): ExistingModule {
  const [folder] = [name, inflect(name)?.plural.kebab ?? name].filter((known) => isModule(tree, known));
  if (folder === undefined) {
    const known = tree.getDir('src').subdirs.filter((each) => isModule(tree, each));
    throw new Refusal(
      `The module ${JSON.stringify(name)} does not exist in src: the modules are ${known.join(', ')}.`,
    );
  }
  const path = `src/${folder}`;
  const sources = pathsBelow(tree, path)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => parse(file, tree.readText(file)));
  const entity = entityOf(sources, path, spell(folder.split('-')).snake);
  const table = textIn(entityTable(entity.node), 'name') ?? spell(folder.split('-')).snake;
  const singular = spell(wordsOf(entity.node.name?.text ?? ''));
  return {
    ...featureNames({ singular, plural: spell(folder.split('-')) }),
    table,
    folder: path,
    sources,
    entity,
  };
}

/** A class of a module by its name. */
export function classOf(
  { sources }: Pick<ExistingModule, 'sources'>,
  name: string,
): Declared<ts.ClassDeclaration> | undefined {
  for (const source of sources) {
    const node = classIn(source, name);
    if (node) return { path: source.fileName, source, node };
  }
  return undefined;
}

/** The path of a file of the templates, in the present folder of the module. */
export function placeOf({ folder }: Pick<ExistingModule, 'folder'>, path: string): string {
  return path.replace(/^src\/[^/]+/, folder);
}

/** A column of the entity by the member's name. */
export interface StoredMember {
  readonly name: string;
  readonly column: string;
  readonly node: ts.PropertyDeclaration;
}

/** The columns of a module's rows, except the id. */
export function storedMembers({ entity }: ExistingModule): StoredMember[] {
  return propertiesOf(entity.node)
    .filter((node) => node.name.getText() !== 'id' && decoratorsOf(node).length > 0)
    .map((node) => {
      const name = node.name.getText();
      const options = decoratorsOf(node)
        .filter((decorator) => decoratorName(decorator).endsWith('Column'))
        .flatMap(({ expression }) => (ts.isCallExpression(expression) ? [...expression.arguments] : []));
      const given = options.map((option) => textIn(option, 'name')).find((text) => text !== undefined);
      return { name, column: given ?? spell(wordsOf(name)).snake, node };
    });
}

/** True if the database fills a member in. */
export function isKeptByTheTable(node: ts.PropertyDeclaration): boolean {
  return decoratorsOf(node).some((decorator) => KEPT_BY_THE_TABLE.has(decoratorName(decorator)));
}

function isModule(tree: Tree, folder: string): boolean {
  if (!tree.readText(isRepository(tree) ? INDEX : FEATURES).includes(`'./${folder}/`)) return false;
  return tree.getDir(`src/${folder}`).subfiles.some((file) => file.endsWith('.entity.ts'));
}

function entityOf(
  sources: readonly ts.SourceFile[],
  folder: string,
  table: string,
): Declared<ts.ClassDeclaration> {
  const entities = sources.flatMap((source) =>
    classesOf(source)
      .filter((node) => node.name && entityTable(node))
      .map((node) => ({ path: source.fileName, source, node })),
  );
  const own = entities.filter(({ node }) => textIn(entityTable(node), 'name') === table);
  const [entity, second] = own.length > 0 ? own : entities;
  if (!entity) throw new Refusal(`No class in ${folder} has @Entity('${table}').`);
  if (second) {
    throw new Refusal(
      `${folder} has several entities, ${entity.node.name?.text} and ${second.node.name?.text}, and none of them has the table ${table}.`,
    );
  }
  return entity;
}

/** The argument of `@Entity()`. */
function entityTable(node: ts.ClassDeclaration): ts.Expression | undefined {
  const decorator = decoratorsOf(node).find((each) => decoratorName(each) === 'Entity');
  return decorator && ts.isCallExpression(decorator.expression)
    ? decorator.expression.arguments[0]
    : undefined;
}
