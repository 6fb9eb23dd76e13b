import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { Changes } from '../edit/changes.ts';
import { decorateHandlers } from '../module/decorators.ts';
import { readFields } from '../feature/fields.ts';
import { MIGRATIONS, nextMigrationTime } from '../text/migration-time.ts';
import { readLaterFields } from '../feature/owned-fields.ts';
import { type LinkedField, linkFields, type LinkedOwned, linkOwned } from '../feature/references.ts';
import { parse, pathsBelow, readSourcesWith } from '../text/sources.ts';
import { keyOf, refuseLongSqlNames, refuseTakenUses } from '../feature/taken.ts';
import { usesOf } from '../feature/uses.ts';
import {
  classOf,
  type ExistingModule,
  placeOf,
  readModule,
  storedMembers,
} from '../module/existing-module.ts';
import { finish, type Plan } from '../module/finish.ts';
import { Rendered } from '../module/rendered.ts';
import { Refusal } from '../refusal.ts';
import { editClasses, editHeritage, fieldIn, type NamedField } from './class-edits.ts';
import { editList } from './list-edits.ts';
import { type AddedFields, addingMigration, migrationName } from './migration.ts';
import { editOperatorPatch } from './operator-patch.ts';
import { refuseMore, refusePersonal } from './present-field.ts';
import { editService } from './service-edits.ts';
import { editSpec } from './spec-edits.ts';
import { entitySources } from '../module/generated-module.ts';

/** Options of the schematic; see `schema.json`. */
export interface FieldOptions {
  readonly name: string;
  readonly path?: string;
  readonly words?: readonly string[];
}

/**
 * Decides the changes for new fields in a module.
 *
 * @throws Refusal
 */
export async function planField(options: FieldOptions, tree: Tree, context: SchematicContext): Promise<Plan> {
  const module = readModule(tree, options.name);
  const changes = new Changes(tree);
  const text = [options.path, ...(options.words ?? [])].join(' ');
  const wanted = readAdded(text, module, tree);
  wanted.fields.forEach((field) => refusePersonal(module, field));
  // An arbitrary field that is part of both renderings: their difference is what the new fields need.
  const other = linkFields(readFields('ofNoConsequence:string', module), module, []);
  const render = ({ fields, owned }: AddedFields) =>
    Rendered.of(module, [...other, ...fields], context, owned);
  const all = await render(wanted);
  const missing = {
    fields: wanted.fields.filter((field) => isMissing(module, field, all, () => refuseMore(module, field))),
    owned: wanted.owned.filter((each) => isMissing(module, each, all)),
  };
  missing.fields.forEach((field) => refuseMissing(module, field));
  missing.owned.forEach((each) => refuseRequired(module, each));

  const added: NamedField[] = [...missing.fields, ...missing.owned];
  if (added.length > 0) {
    const before = await Rendered.of(module, other, context);
    const rendered = await render(missing);
    refuseTaken(tree, module, rendered, before);
    editClasses(changes, module, added, rendered, before);
    editList(changes, module, missing.fields, rendered);
    editSpec(changes, module, missing, await render(withoutDefaults(missing)), before);
    editOperatorPatch(changes, module, missing.fields, rendered);
    editHeritage(changes, module, rendered, before);
    decorateHandlers(changes, module, rendered, before);
    editService(changes, module, added, rendered);
    for (const { fileName, text: created } of rendered.filesBesides(before)) {
      changes.create(placeOf(module, fileName), created);
    }
    addMigration(changes, tree, module, missing, rendered);
  }
  const names = [...wanted.fields, ...wanted.owned].map(({ name }) => name);
  return finish(
    changes,
    module,
    `${module.plural.kebab} already have ${names.join(', ')}: nothing was changed.`,
  );
}

function withoutDefaults({ fields, owned }: AddedFields): AddedFields {
  return {
    fields: fields.map((field) => ({ ...field, options: { ...field.options, default: undefined } })),
    owned: owned.map((each) => ({ ...each, optional: false })),
  };
}

/** @throws Refusal */
function readAdded(text: string, module: ExistingModule, tree: Tree): AddedFields {
  const { fields, owned } = readLaterFields(text, module);
  const sources = entitySources(tree);
  return {
    fields: linkFields(fields, module, sources).map((field) => ({ ...field, isLater: true })),
    owned: owned.map((each) => linkOwned(each, sources)),
  };
}

/** @param refuse refuses a field that is there with the same values, but without other options that are asked for */
function isMissing(
  module: ExistingModule,
  field: NamedField,
  rendered: Rendered,
  refuse?: () => void,
): boolean {
  const { isThere, differsIn } = fieldIn(module, field, rendered);
  if (isThere && !differsIn?.endsWith('.dto.ts')) refuse?.();
  if (differsIn !== undefined) {
    throw new Refusal(
      `The field ${field.name} of ${module.plural.kebab} already exists, and ${differsIn} differs from what this would generate.`,
    );
  }
  return !isThere;
}

function refuseRequired({ plural }: ExistingModule, { name, optional, isLinks }: LinkedOwned): void {
  if (optional) return;
  throw new Refusal(
    `The field ${name} must be optional (${name}:…${isLinks ? '' : '[]'}?): clients add ${plural.words} without it today.`,
  );
}

function refuseMissing(module: ExistingModule, field: LinkedField): void {
  const { name, column, type, isArray, optional, options } = field;
  const { plural } = module;
  const twin = storedMembers(module).find((member) => member.column === column);
  if (twin) throw new Refusal(`The fields ${twin.name} and ${name} would share the column ${column}.`);
  if (optional) return;
  if (options.default === undefined || options.access === 'read-only') {
    throw new Refusal(
      `The field ${name} must be optional (${name}:…?) or have a default that clients can change: stored ${plural.words} have no value for it.`,
    );
  }
  if (isArray) {
    throw new Refusal(
      `The field ${name} must be optional (${name}:…?): an added column of arrays cannot have a default.`,
    );
  }
  if (options.unique) {
    throw new Refusal(
      `The field ${name} cannot be unique: all stored ${plural.words} would get the same value.`,
    );
  }
  if (type === 'decimal' && options.default.startsWith('-')) {
    throw new Refusal(
      `The default of the field ${name} cannot be negative: the databases store a negative default of a decimal in different ways.`,
    );
  }
}

/** Refuses enums, indexes and constraints of the fields that exist already. A DTO may have come with an earlier field. */
function refuseTaken(tree: Tree, module: ExistingModule, rendered: Rendered, before: Rendered): void {
  const known = new Set(before.sources.flatMap(usesOf).map(keyOf));
  const brought = rendered.sources
    .flatMap(usesOf)
    .filter((use) => !known.has(keyOf(use)))
    .filter(
      ({ text, path }) => !(path.includes('/dto/') && classOf(module, text)?.path === placeOf(module, path)),
    );
  const texts = brought.map(({ text }) => text);
  refuseTakenUses(brought, readSourcesWith(tree, texts));
}

function addMigration(
  changes: Changes,
  tree: Tree,
  module: ExistingModule,
  added: AddedFields,
  rendered: Rendered,
): void {
  const time = nextMigrationTime(pathsBelow(tree, MIGRATIONS), Date.now());
  const path = `${MIGRATIONS}/${time}-${migrationName(module, [...added.fields, ...added.owned])}.ts`;
  const text = addingMigration(module, added, rendered, time);
  refuseLongSqlNames([parse(path, text)]);
  changes.create(path, text);
}
