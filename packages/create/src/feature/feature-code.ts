import { type CodedField, codedField } from './field-code.ts';
import { chosen } from './import-names.ts';
import { type ListCode, listCode } from './list-code.ts';
import { type OwnedCode, ownedCode } from './owned-code.ts';
import type { FeatureModel } from './model.ts';

/** Values that templates need besides the model, prepared so that the templates hold only text and conditions. */
export interface FeatureCode extends ListCode {
  readonly fields: readonly CodedField[];
  /** Arrays of the feature that are tables of their own: of objects, and of links. */
  readonly owned: readonly OwnedCode[];
  readonly objects: readonly OwnedCode[];
  readonly links: readonly OwnedCode[];
  /** Fields in the body of a creation. */
  readonly created: readonly CodedField[];
  /** Fields in no body of clients. */
  readonly readOnly: readonly CodedField[];
  readonly createOnly: readonly CodedField[];
  /** Names of the members that a creation may lack and that a response always has. */
  readonly defaulted: readonly string[];
  /** Members of a response that no client changes; empty if a response is `id` and the members of a creation as they are. */
  readonly kept: readonly string[];
  readonly optionals: readonly CodedField[];
  readonly uniques: readonly CodedField[];
  /** Fields whose columns have a condition. */
  readonly checks: readonly CodedField[];
  readonly filters: readonly CodedField[];
  readonly references: readonly CodedField[];
  readonly enums: readonly CodedField[];
  /** Filters whose sample has a value. */
  readonly sampledFilters: readonly CodedField[];
  /** True if the tests need records that exist already. */
  readonly needsSamples: boolean;
  /** True if each record belongs to the client that added it. */
  readonly hasOwners: boolean;
  /** Field that a test of updates changes. */
  readonly patched: CodedField;
  /** Fields by which the body of a creation, and that of a change, may refer to other records. */
  readonly createdReferences: readonly CodedField[];
  readonly patchedReferences: readonly CodedField[];
  /** True if a creation, and a change, can refer to a record that does not exist. */
  readonly refersOnCreation: boolean;
  readonly refersOnUpdate: boolean;
  /** True if a change can bring a value that must be unique. */
  readonly patchesUnique: boolean;
  /** Errors that the methods of the service throw, in words. */
  readonly throws: { readonly create: string; readonly update: string };
  /** DTO of the changes of operators. */
  readonly patchDto: string;
  /** Constant with the records for the admin tooling: `STATUS_CHANGES_ADMIN`. */
  readonly adminName: string;
  /** Field by which pages of the console name a record; undefined if they name it by its id. */
  readonly title: string | undefined;
  /** True if a route returns one record. */
  readonly hasDto: boolean;
  /** True if there are routes of single records. */
  readonly hasItem: boolean;
  /** True if a client can make a change depend on the state it has seen, because it can see one. */
  readonly hasPrecondition: boolean;
  /** Calls of the operations on single records, in a test that knows the path. */
  readonly itemCalls: readonly string[];
  /** HTTP method of the first operation. */
  readonly firstMethod: string;
  /** Words of `columnTypes()` in the migration, sorted. */
  readonly columnWords: readonly string[];
  /** Classes of its entities and their files. */
  readonly entities: readonly (readonly [name: string, file: string])[];
}

export function featureCode(model: FeatureModel): FeatureCode {
  const { operations, singular, plural, hasOwners = false } = model;
  const fields = model.fields.map((field) => codedField(field, singular.words));
  const filters = fields.filter(({ isFilter }) => isFilter);
  const references = fields.filter(({ reference }) => reference);
  const enums = fields.filter((field) => field.enum);
  const created = fields.filter(({ isCreated }) => isCreated);
  const readOnly = fields.filter(({ isCreated }) => !isCreated);
  const closed = fields.filter(({ isPatched }) => !isPatched).map(({ name }) => name);
  const uniques = fields.filter(({ options }) => options.unique);
  const checks = fields.filter(({ check }) => check !== '');
  const createdReferences = references.filter(({ isCreated }) => isCreated);
  const patchedReferences = references.filter(({ isPatched }) => isPatched);
  const patchesUnique = uniques.some(({ isPatched }) => isPatched);
  const notFound = `${singular.pascal}NotFoundError`;
  const writes = operations.create || operations.update;
  const hasItem = operations.get || operations.update || operations.delete;
  const owned = (model.owned ?? []).map((each) => ownedCode(each, singular.words));
  const defaulted = [
    ...created.filter(({ testDefault }) => testDefault !== undefined),
    ...owned.filter(({ optional }) => optional),
  ].map(({ name }) => name);
  const ownedRefer = owned.some((each) => each.references.length > 0);
  const refersOnCreation = ownedRefer || createdReferences.length > 0;
  const refersOnUpdate = ownedRefer || patchedReferences.length > 0;
  const list = listCode(fields, plural.words, operations.list);
  return {
    ...list,
    fields,
    owned,
    objects: owned.filter(({ isLinks }) => !isLinks),
    links: owned.filter(({ isLinks }) => isLinks),
    refersOnCreation,
    refersOnUpdate,
    filters,
    references,
    enums,
    created,
    readOnly,
    uniques,
    checks,
    createdReferences,
    patchedReferences,
    patchesUnique,
    createOnly: fields.filter(({ options }) => options.access === 'create-only'),
    defaulted,
    kept: closed.length + defaulted.length > 0 ? ['id', ...closed] : [],
    optionals: fields.filter(({ optional }) => optional),
    sampledFilters: filters.filter(
      ({ reference, isCreated, optional }) => !reference?.isOwn && (isCreated || !optional),
    ),
    needsSamples:
      operations.list || hasItem || ownedRefer || references.some(({ reference }) => !reference?.isOwn),
    hasOwners,
    patched: patchedOf(fields.filter(({ isPatched }) => isPatched)),
    throws: {
      create: inWords(
        chosen({
          MissingReferenceError: refersOnCreation,
          DuplicateValueError: uniques.length > 0,
        }),
      ),
      update: inWords(
        chosen({
          [notFound]: true,
          PreconditionFailedError: true,
          MissingReferenceError: ownedRefer || references.length > 0,
          DuplicateValueError: uniques.length > 0,
        }),
      ),
    },
    patchDto: `${singular.pascal}${readOnly.length > 0 ? 'OperatorPatch' : 'Patch'}Dto`,
    adminName: `${plural.snake.toUpperCase()}_ADMIN`,
    title: titleOf(fields),
    hasDto: operations.list || operations.get || writes,
    hasItem,
    hasPrecondition: operations.update || (operations.delete && operations.get),
    itemCalls: chosen({
      'await service.fetch(path)': operations.get,
      'await service.patch(path, {})': operations.update,
      'await service.delete(path)': operations.delete,
    }),
    firstMethod: chosen({
      GET: operations.list || (operations.get && !operations.create),
      POST: operations.create,
      PATCH: operations.update,
      DELETE: operations.delete,
    })[0] as string,
    columnWords: distinct([
      'instant',
      'int64',
      ...(hasOwners ? ['text'] : []),
      ...fields.flatMap(({ code, isArray }) => (isArray ? ['array', code.sql] : [code.sql])),
      ...owned.flatMap((each) => ['integer', ...each.fields.map(({ code }) => code.sql)]),
    ]),
    entities: [singular, ...owned.map(({ item }) => item.singular)].map(
      ({ pascal, kebab }) => [pascal, kebab] as const,
    ),
  };
}

/** The title that the console chooses if the descriptor names no field: one that reads like a title. */
function titleOf(fields: readonly CodedField[]): string | undefined {
  const texts = fields.filter(({ type, isArray }) => type === 'string' && !isArray).map(({ name }) => name);
  return ['name', 'title'].find((name) => texts.includes(name));
}

/** A field whose value can be changed independently of other features and other values, if there is one. */
function patchedOf(fields: readonly CodedField[]): CodedField {
  const free = fields.find(
    ({ reference, options, testValues: [one, other] }) => !reference && !options.unique && one !== other,
  );
  return free ?? (fields[0] as CodedField);
}

/** Joins names as in `A`, `A or B`, `A, B or C`. */
function inWords(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
