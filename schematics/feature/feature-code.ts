import { type CodedField, codedField } from './field-code.ts';
import { type ListCode, listCode } from './list-code.ts';
import { type OwnedCode, ownedCode } from './owned-code.ts';
import type { FeatureModel } from './templates.ts';

/** What templates need to know besides the model, worked out so that they hold text and conditions only. */
export interface FeatureCode extends ListCode {
  readonly fields: readonly CodedField[];
  /** Its arrays of objects. */
  readonly owned: readonly OwnedCode[];
  /** Those in the body of a creation. */
  readonly created: readonly CodedField[];
  /** Those in no body of clients. */
  readonly readOnly: readonly CodedField[];
  readonly createOnly: readonly CodedField[];
  /** The names of those in the body of a creation that are always there in a response and not in the body. */
  readonly defaulted: readonly string[];
  /** The members of a response that no client changes; empty where its others are those of a creation. */
  readonly kept: readonly string[];
  readonly optionals: readonly CodedField[];
  readonly uniques: readonly CodedField[];
  /** Those whose columns have a condition. */
  readonly checks: readonly CodedField[];
  readonly filters: readonly CodedField[];
  readonly references: readonly CodedField[];
  readonly enums: readonly CodedField[];
  /** Filters whose sample has a value. */
  readonly sampledFilters: readonly CodedField[];
  /** Whether the tests need something that is there already. */
  readonly needsSamples: boolean;
  /** The field a test of updates changes. */
  readonly patched: CodedField;
  /** What the body of a creation may refer to, and that of a change. */
  readonly createdReferences: readonly CodedField[];
  readonly patchedReferences: readonly CodedField[];
  /** Whether a creation, and a change, can refer to something that is not there. */
  readonly refersOnCreation: boolean;
  readonly refersOnUpdate: boolean;
  /** Whether a change can bring a value that must be unique. */
  readonly patchesUnique: boolean;
  /** What the methods of the service throw, in words. */
  readonly throws: { readonly create: string; readonly update: string };
  /** The DTO of what operators change. */
  readonly patchDto: string;
  /** The constant that describes them to the admin tooling: `STATUS_CHANGES_ADMIN`. */
  readonly adminName: string;
  /** The field that pages of the console call one by; undefined when they call it by its id. */
  readonly title: string | undefined;
  /** Whether a route answers one as a resource. */
  readonly hasDto: boolean;
  /** Whether there are routes of one of them. */
  readonly hasItem: boolean;
  /** Whether a client can make its change depend on what it has seen: it has seen something. */
  readonly hasPrecondition: boolean;
  /** Calls of the operations on one of them, in a test that knows its path. */
  readonly itemCalls: readonly string[];
  /** Method of the first operation. */
  readonly firstMethod: string;
  /** Names each file imports from one place, sorted. */
  readonly imports: Readonly<Record<ImportingFile, readonly string[]>>;
}

type ImportingFile =
  | 'nest'
  | 'responses'
  | 'errors'
  | 'typeorm'
  | 'columns'
  | 'newFields'
  | 'ownFields'
  | 'parameters'
  | 'migration';

export function featureCode(model: FeatureModel): FeatureCode {
  const { operations, singular, plural } = model;
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
    imports: {
      nest: chosen({
        Body: writes,
        Controller: true,
        Delete: operations.delete,
        Get: operations.list || operations.get,
        Patch: operations.update,
        Post: operations.create,
        Query: operations.list,
      }),
      responses: chosen({
        OkResponse: operations.get || operations.update,
        CreatedResponse: operations.create,
        ErrorResponse: hasItem || (operations.create && (refersOnCreation || uniques.length > 0)),
        NoContentResponse: operations.delete,
        PageResponse: operations.list,
      }),
      errors: chosen({
        DuplicateValueError:
          (operations.create && uniques.length > 0) || (operations.update && patchesUnique),
        MissingReferenceError:
          (operations.create && refersOnCreation) || (operations.update && refersOnUpdate),
        StillReferencedError: operations.delete,
      }),
      typeorm: chosen({
        Check: checks.length > 0,
        Entity: true,
        ForeignKey: references.length > 0,
        Index: true,
        OneToMany: owned.length > 0,
      }),
      columns: distinct(['CreatedAtColumn', 'GeneratedInt64Key', ...fields.map(({ code }) => code.column)]),
      newFields: distinct(created.map(({ code }) => code.field)),
      ownFields: distinct(['Int64Field', ...readOnly.map(({ code }) => code.field)]),
      parameters: distinct(list.parameters.map(({ decorator }) => decorator)),
      migration: distinct([
        'instant',
        'int64',
        ...fields.flatMap(({ code, isArray }) => (isArray ? ['array', code.sql] : [code.sql])),
        ...owned.flatMap((each) => ['integer', ...each.fields.map(({ code }) => code.sql)]),
      ]),
    },
  };
}

/** As the console chooses it where the descriptor says nothing: what reads like a title. */
function titleOf(fields: readonly CodedField[]): string | undefined {
  const texts = fields.filter(({ type, isArray }) => type === 'string' && !isArray).map(({ name }) => name);
  return ['name', 'title'].find((name) => texts.includes(name));
}

/** A field whose value can be changed without the help of another feature and of other values, if there is one. */
function patchedOf(fields: readonly CodedField[]): CodedField {
  const free = fields.find(
    ({ reference, options, testValues: [one, other] }) => !reference && !options.unique && one !== other,
  );
  return free ?? (fields[0] as CodedField);
}

function chosen(names: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(names).filter((name) => names[name]);
}

/** `A`, `A or B`, `A, B or C`. */
function inWords(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
