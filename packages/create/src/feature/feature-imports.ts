import type { FeatureCode } from './feature-code.ts';
import { chosen, importNames } from './import-names.ts';
import type { FeatureModel } from './model.ts';
import type { SpecCode } from './spec-code.ts';

/** Names that the generated files import from a package, by the file and, where it has several such lines, by the package. */
export type FeatureImports = Readonly<
  Record<
    | 'columns'
    | 'controller'
    | 'dto'
    | 'nest'
    | 'newDto'
    | 'query'
    | 'samples'
    | 'service'
    | 'spec'
    | 'typeorm',
    string
  >
>;

/** Works out the imports of the files of a feature. */
export function featureImports(
  { operations, hasOwners = false, isBelow = false }: FeatureModel,
  code: FeatureCode,
  { sampled }: SpecCode,
): FeatureImports {
  const { fields, owned, created, readOnly, uniques, hasItem } = code;
  const writes = operations.create || operations.update;
  const adds = sampled.some(({ reference }) => reference);
  const hasPattern = sampled.some(({ options, uniqueValue }) => uniqueValue && options.pattern !== undefined);
  return {
    nest: importNames(
      chosen({
        Body: writes,
        Controller: true,
        Delete: operations.delete,
        Get: operations.list || operations.get,
        Patch: operations.update,
        Post: operations.create,
        Query: operations.list,
      }),
    ),
    controller: importNames(
      chosen({
        CacheResponse: operations.list && !isBelow,
        'type Created': operations.create,
        CreatedResponse: operations.create,
        DuplicateValueError:
          (operations.create && uniques.length > 0) || (operations.update && code.patchesUnique),
        ErrorResponse:
          isBelow || hasItem || (operations.create && (code.refersOnCreation || uniques.length > 0)),
        IfMatch: code.hasPrecondition,
        Int64Param: isBelow || hasItem,
        MissingReferenceError:
          (operations.create && code.refersOnCreation) || (operations.update && code.refersOnUpdate),
        NoContentResponse: operations.delete,
        OkResponse: operations.get || operations.update,
        Once: operations.create,
        'type Page': operations.list,
        PageResponse: operations.list,
        Precondition: code.hasPrecondition,
        RequireScopes: true,
        StillReferencedError: operations.delete,
      }),
    ),
    service: importNames([
      'applyMergePatch',
      'type Complete',
      'type Created',
      'Database',
      'Events',
      ...(operations.list ? ['type Page'] : []),
      'Precondition',
    ]),
    typeorm: importNames(
      chosen({
        Check: code.checks.length > 0,
        Entity: true,
        ForeignKey: code.references.length > 0,
        Index: true,
        OneToMany: owned.length > 0,
      }),
    ),
    columns: importNames([
      'CreatedAtColumn',
      'GeneratedInt64Key',
      ...(hasOwners ? ['OwnerColumn'] : []),
      ...fields.map((field) => field.code.column),
    ]),
    newDto: importNames([...created.map((field) => field.code.field), ...owned.map(({ field }) => field)]),
    dto: importNames([
      'Int64Field',
      ...readOnly.map((field) => field.code.field),
      ...(code.defaulted.length > 0 ? ['RequiredType'] : []),
    ]),
    query: importNames(['PageQuery', ...code.parameters.map(({ decorator }) => decorator)]),
    samples: hasPattern
      ? `{ ${importNames([...(adds ? ['type AddSample'] : []), 'matching', 'type ModuleSamples'])} }`
      : `type { ${importNames([...(adds ? ['AddSample'] : []), 'ModuleSamples'])} }`,
    spec: importNames([
      ...(code.needsSamples ? ['addSample'] : []),
      'describeEachEngine',
      'startTestService',
      'type TestService',
    ]),
  };
}
