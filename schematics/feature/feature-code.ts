import { type CodedField, codedField } from './field-code.ts';
import type { FeatureModel } from './templates.ts';

/** What templates need to know besides the model, worked out so that they hold text and conditions only. */
export interface FeatureCode {
  readonly fields: readonly CodedField[];
  readonly optionals: readonly CodedField[];
  readonly requireds: readonly CodedField[];
  readonly filters: readonly CodedField[];
  readonly references: readonly CodedField[];
  readonly enums: readonly CodedField[];
  /** Filters whose sample has a value. */
  readonly sampledFilters: readonly CodedField[];
  /** Whether the tests need something that is there already. */
  readonly needsSamples: boolean;
  /** The field a test of updates changes. */
  readonly patched: CodedField;
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
  'nest' | 'responses' | 'errors' | 'typeorm' | 'columns' | 'fields' | 'parameters' | 'migration';

export function featureCode(model: FeatureModel): FeatureCode {
  const { operations, singular, plural } = model;
  const fields = model.fields.map((field) => codedField(field, singular.words));
  const filters = fields.filter(({ isFilter }) => isFilter);
  const references = fields.filter(({ reference }) => reference);
  const enums = fields.filter((field) => field.enum);
  const writes = operations.create || operations.update;
  const hasItem = operations.get || operations.update || operations.delete;
  return {
    fields,
    filters,
    references,
    enums,
    optionals: fields.filter(({ optional }) => optional),
    requireds: fields.filter(({ optional }) => !optional),
    sampledFilters: filters.filter(({ reference }) => !reference?.isOwn),
    needsSamples: operations.list || hasItem || references.some(({ reference }) => !reference?.isOwn),
    patched: patchedOf(fields),
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
        ErrorResponse: hasItem || (operations.create && references.length > 0),
        NoContentResponse: operations.delete,
        PageResponse: operations.list,
      }),
      errors: chosen({
        MissingReferenceError: writes && references.length > 0,
        StillReferencedError: operations.delete,
      }),
      typeorm: chosen({
        Check: enums.length > 0,
        Entity: true,
        ForeignKey: references.length > 0,
        Index: true,
      }),
      columns: distinct(['CreatedAtColumn', 'GeneratedInt64Key', ...fields.map(({ code }) => code.column)]),
      fields: distinct(fields.map(({ code }) => code.field)),
      parameters: distinct(filters.map(({ code }) => code.parameter as string)),
      migration: distinct(['instant', 'int64', ...fields.map(({ code }) => code.sql)]),
    },
  };
}

/** As the console chooses it where the descriptor says nothing: what reads like a title. */
function titleOf(fields: readonly CodedField[]): string | undefined {
  const texts = fields.filter(({ type }) => type === 'string').map(({ name }) => name);
  return ['name', 'title'].find((name) => texts.includes(name));
}

/** A field whose value can be changed without the help of another feature, if there is one. */
function patchedOf(fields: readonly CodedField[]): CodedField {
  const free = fields.find(({ reference, testValues: [one, other] }) => !reference && one !== other);
  return free ?? (fields[0] as CodedField);
}

function chosen(names: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(names).filter((name) => names[name]);
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
