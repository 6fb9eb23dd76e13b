import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { FORM_MEDIA_TYPE } from './media-types';
import { dtoMembers, fieldNames, isDto } from '../../validation/dto-members';
import { isListSchema, schemaMembers, type StandardSchema } from '../../validation/standard-schema';

/** Metadata key under which @nestjs/swagger keeps the media types that a method takes. */
const CONSUMES_METADATA = 'swagger/apiConsumes';

/** Properties of the requests that a controller's method takes, read from its parameters. */
export interface HandlerParameters {
  /** True if it takes a JSON body. */
  readonly takesBody: boolean;
  /** True if it takes the bytes of the body, by `@RawBody()`. */
  readonly takesBytes: boolean;
  /** Media types that `@ApiConsumes()` names. */
  readonly consumed: readonly string[] | undefined;
  /** True if it takes a form with files, or a form that is sent like one: its interceptor reads the body. */
  readonly takesForm: boolean;
  /** Names of the query parameters it takes; undefined when it says nothing of them, or takes any. */
  readonly queryNames: ReadonlySet<string> | undefined;
  /** Names of the query parameters that are lists, and so may be repeated. */
  readonly queryLists: ReadonlySet<string>;
  /** Classes of the query parameters that it takes together. */
  readonly queryTypes: readonly Type[];
  /** Names of the path parameters it takes one by one. */
  readonly pathNames: readonly string[];
}

/** One parameter as Nest's decorators note it: `@Query('page')` has the data `page`. */
interface Parameter {
  readonly kind: RouteParamtypes;
  readonly data: unknown;
  readonly type: Type | undefined;
  /** Schema of `@Query({ schema })`. */
  readonly schema: StandardSchema | undefined;
}

/** Reads the metadata that the decorators of a method's parameters have set. */
export function handlerParameters(controller: Type, method: string): HandlerParameters {
  const parameters = parametersOf(controller, method);
  const has = (...kinds: RouteParamtypes[]) => parameters.some(({ kind }) => kinds.includes(kind));
  const queries = parameters.filter(({ kind }) => kind === RouteParamtypes.QUERY);
  const consumed = consumedTypes(controller, method);
  const takesForm =
    has(RouteParamtypes.FILE, RouteParamtypes.FILES) || (consumed?.includes(FORM_MEDIA_TYPE) ?? false);
  return {
    takesBody: has(RouteParamtypes.BODY, RouteParamtypes.RAW_BODY) && !takesForm,
    takesBytes: has(RouteParamtypes.RAW_BODY),
    consumed,
    takesForm,
    queryNames: queryNamesOf(queries),
    queryLists: new Set(queries.flatMap(listNamesOf)),
    queryTypes: queries.flatMap(({ data, type }) => (data === undefined && type ? [type] : [])),
    pathNames: parameters
      .filter(({ kind }) => kind === RouteParamtypes.PARAM)
      .flatMap(({ data }) => (typeof data === 'string' ? [data] : [])),
  };
}

/** The media types that `@ApiConsumes()` names. */
function consumedTypes(controller: Type, method: string): readonly string[] | undefined {
  const handler = (controller.prototype as Record<string, object>)[method] as object;
  return Reflect.getMetadata(CONSUMES_METADATA, handler) as readonly string[] | undefined;
}

function queryNamesOf(parameters: readonly Parameter[]): ReadonlySet<string> | undefined {
  if (parameters.length === 0) return undefined;
  const names = parameters.map(namesOf);
  // A class without decorated members says as little as an interface does.
  return names.some((some) => some.length === 0) ? undefined : new Set(names.flat());
}

function namesOf({ data, type, schema }: Parameter): string[] {
  if (typeof data === 'string') return [data];
  if (schema) return schemaMembers(schema).names;
  return isDto(type) ? fieldNames(type) : [];
}

function listNamesOf({ data, type, schema }: Parameter): string[] {
  if (typeof data === 'string') {
    return (type as unknown) === Array || (schema && isListSchema(schema)) ? [data] : [];
  }
  if (schema) return schemaMembers(schema).lists;
  if (!isDto(type)) return [];
  return dtoMembers(type)
    .filter(({ isList }) => isList)
    .map(({ name }) => name);
}

function parametersOf(controller: Type, method: string): Parameter[] {
  const noted = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { readonly index: number; readonly data?: unknown; readonly schema?: StandardSchema }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ??
    []) as Type[];
  return Object.entries(noted).map(([key, { index, data, schema }]) => ({
    // `4:0`: the kind and the index. Those of parameter decorators of one's own begin otherwise.
    kind: Number(key.split(':')[0]),
    data,
    type: types[index],
    schema,
  }));
}
