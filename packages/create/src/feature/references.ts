import { posix } from 'node:path';
import ts from 'typescript';
import { Refusal } from '../refusal.ts';
import type { Field } from './fields.ts';
import { type FeatureNames, inflect } from './names.ts';
import type { OwnedField } from './owned-field.ts';
import { callOf, nodesOf, textIn } from '../text/sources.ts';

/** Target of a ref. */
export interface Reference {
  /** Folder of the feature that has the entity. */
  readonly folder: string;
  /** Class of the entity. */
  readonly entity: string;
  readonly table: string;
  /** True if it is the feature itself. */
  readonly isOwn: boolean;
}

/** An array of objects, or of links, whose fields have their references. */
export type LinkedOwned = Omit<OwnedField, 'fields'> & { readonly fields: readonly LinkedField[] };

/** A field with the target of its ref. */
export type LinkedField = Field & { readonly reference: Reference | undefined };

/**
 * Finds the entities of the service that fields refer to.
 *
 * @throws Refusal
 */
export function linkFields(
  fields: readonly Field[],
  feature: FeatureNames,
  sources: readonly ts.SourceFile[],
): LinkedField[] {
  return fields.map((field) => ({
    ...field,
    reference: field.target === undefined ? undefined : referenceOf(field, field.target, feature, sources),
  }));
}

/**
 * Finds the entities that the fields of an array of objects, or of links, refer to.
 *
 * @throws Refusal
 */
export function linkOwned(owned: OwnedField, sources: readonly ts.SourceFile[]): LinkedOwned {
  const { name, isLinks, item, fields } = owned;
  if (!isLinks) return { ...owned, fields: linkFields(fields, item, sources) };
  // The member of a link is known by the name of the array.
  const linked = linkFields(
    fields.map((field) => ({ ...field, name })),
    item,
    sources,
  );
  return {
    ...owned,
    fields: linked.map((field, index) => ({ ...field, name: fields[index]?.name ?? name })),
  };
}

function referenceOf(
  { name, optional }: Field,
  target: string,
  feature: FeatureNames,
  sources: readonly ts.SourceFile[],
): Reference {
  // First the name as given, for the folder may have been made by hand; then the name that this generator gives folders.
  const folders = [target, inflect(target)?.plural.kebab ?? target];
  if (folders.includes(feature.plural.kebab)) {
    if (!optional) {
      throw new Refusal(
        `The field ${name} refers to ${feature.plural.words} themselves and must be optional: otherwise the first could not be added.`,
      );
    }
    const { plural, singular, table } = feature;
    return { folder: plural.kebab, entity: singular.pascal, table, isOwn: true };
  }
  const references = folders
    .map((folder) => sources.flatMap((source) => entitiesOf(source, folder)))
    .find((found) => found.length > 0);
  const [reference, second] = references ?? [];
  if (!reference) {
    throw new Refusal(
      `The field ${name} refers to ${target}, but no feature of that name has an entity with a @GeneratedInt64Key.`,
    );
  }
  if (second) {
    throw new Refusal(
      `The field ${name} refers to ${target}, which could be ${reference.entity} or ${second.entity}.`,
    );
  }
  return reference;
}

/** The entities of a feature that have generated numbers as ids. */
function entitiesOf(source: ts.SourceFile, folder: string): Reference[] {
  const isTheirs =
    posix.dirname(source.fileName) === `src/${folder}` && source.fileName.endsWith('.entity.ts');
  if (!isTheirs) return [];
  return nodesOf(source)
    .filter((node) => ts.isClassDeclaration(node))
    .flatMap((node) => {
      const table = entityTable(node);
      return node.name && table !== undefined && hasGeneratedKey(node)
        ? [{ folder, entity: node.name.text, table, isOwn: false }]
        : [];
    });
}

/** The table of an entity. */
function entityTable(node: ts.ClassDeclaration): string | undefined {
  const entity = decoratorsOf(node).find(({ name }) => name === 'Entity');
  return textIn(entity?.arguments[0], 'name');
}

function hasGeneratedKey(node: ts.ClassDeclaration): boolean {
  return node.members.some(
    (member) =>
      member.name?.getText() === 'id' &&
      decoratorsOf(member).some(({ name }) => name === 'GeneratedInt64Key'),
  );
}

function decoratorsOf(node: ts.Node) {
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
  return decorators.flatMap(({ expression }) => callOf(expression) ?? []);
}
