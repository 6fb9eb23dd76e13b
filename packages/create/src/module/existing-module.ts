import type { Tree } from '@angular-devkit/schematics';
import ts from 'typescript';
import { classesOf, classIn, decoratorName, decoratorsOf } from '../edit/classes.ts';
import { FEATURES } from '../feature/feature-list.ts';
import { type FeatureNames, featureNames, inflect } from '../feature/names.ts';
import { parse, pathsBelow, textIn } from '../text/sources.ts';
import { spell, wordsOf } from '../text/spelling.ts';
import { packageOf } from './pets.ts';
import { INDEX, isRepository } from './repository.ts';
import { Refusal } from '../refusal.ts';

/** An existing module, whatever has changed in it since it was generated. */
export interface ExistingModule extends FeatureNames {
  /** `src/orders` */
  readonly folder: string;
  /** The package by which others import it; undefined if they import its files. */
  readonly package: string | undefined;
  /** The TypeScript files below the folder, tests included. */
  readonly sources: readonly ts.SourceFile[];
}

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
  const singular = spell(wordsOf(entity.name?.text ?? ''));
  return {
    ...featureNames({ singular, plural: spell(folder.split('-')) }),
    folder: path,
    package: packageOf(tree, path),
    sources,
  };
}

/** The specifier by which other modules import a part of a module, such as its `service`. */
export function partOf({ package: name, plural }: ExistingModule, part: string): string {
  return name ?? `../${plural.kebab}/${plural.kebab}.${part}`;
}

/** A class of a module by its name. */
export function classOf(
  { sources }: Pick<ExistingModule, 'sources'>,
  name: string,
): { readonly path: string; readonly node: ts.ClassDeclaration } | undefined {
  for (const source of sources) {
    const node = classIn(source, name);
    if (node) return { path: source.fileName, node };
  }
  return undefined;
}

function isModule(tree: Tree, folder: string): boolean {
  if (!tree.readText(isRepository(tree) ? INDEX : FEATURES).includes(`'./${folder}/`)) return false;
  return tree.getDir(`src/${folder}`).subfiles.some((file) => file.endsWith('.entity.ts'));
}

function entityOf(sources: readonly ts.SourceFile[], folder: string, table: string): ts.ClassDeclaration {
  const entities = sources.flatMap(classesOf).filter((node) => node.name && entityTable(node));
  const own = entities.filter((node) => textIn(entityTable(node), 'name') === table);
  const [entity, second] = own.length > 0 ? own : entities;
  if (!entity) throw new Refusal(`No class in ${folder} has @Entity('${table}').`);
  if (second) {
    throw new Refusal(
      `${folder} has several entities, ${entity.name?.text} and ${second.name?.text}, and none of them has the table ${table}.`,
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
