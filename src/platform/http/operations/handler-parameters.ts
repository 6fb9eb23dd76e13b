import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { FORM_MEDIA_TYPE } from '../request/body-reader';
import { dtoMembers, fieldNames, isDto } from '../../validation/dto-members';

/** Where @nestjs/swagger notes the media types that a method takes. */
const CONSUMES_METADATA = 'swagger/apiConsumes';

/** What the parameters of a controller's method say about the requests it takes. */
export interface HandlerParameters {
  /** Whether it takes a JSON body. */
  readonly takesBody: boolean;
  /** Whether it takes a form with files, or a form that is sent like one: its interceptor reads the body. */
  readonly takesForm: boolean;
  /** Names of the query parameters it takes; undefined when it says nothing of them, or takes any. */
  readonly queryNames: ReadonlySet<string> | undefined;
  /** Names of the query parameters that are lists, and so may be repeated. */
  readonly queryLists: ReadonlySet<string>;
  /** Names of the path parameters it takes one by one. */
  readonly pathNames: readonly string[];
}

/** One parameter as Nest's decorators note it: `@Query('page')` has the data `page`. */
interface Parameter {
  readonly kind: RouteParamtypes;
  readonly data: unknown;
  readonly type: Type | undefined;
}

/** Reads what the decorators of a method's parameters have noted. */
export function handlerParameters(controller: Type, method: string): HandlerParameters {
  const parameters = parametersOf(controller, method);
  const has = (...kinds: RouteParamtypes[]) => parameters.some(({ kind }) => kinds.includes(kind));
  const queries = parameters.filter(({ kind }) => kind === RouteParamtypes.QUERY);
  const takesForm = has(RouteParamtypes.FILE, RouteParamtypes.FILES) || consumesForm(controller, method);
  return {
    takesBody: has(RouteParamtypes.BODY) && !takesForm,
    takesForm,
    queryNames: queryNamesOf(queries),
    queryLists: new Set(queries.flatMap(listNamesOf)),
    pathNames: parameters
      .filter(({ kind }) => kind === RouteParamtypes.PARAM)
      .flatMap(({ data }) => (typeof data === 'string' ? [data] : [])),
  };
}

/** Whether `@ApiConsumes('multipart/form-data')` says so. */
function consumesForm(controller: Type, method: string): boolean {
  const handler = (controller.prototype as Record<string, object>)[method] as object;
  const mediaTypes = Reflect.getMetadata(CONSUMES_METADATA, handler) as readonly string[] | undefined;
  return mediaTypes?.includes(FORM_MEDIA_TYPE) ?? false;
}

function queryNamesOf(parameters: readonly Parameter[]): ReadonlySet<string> | undefined {
  if (parameters.length === 0) return undefined;
  const names = parameters.map(({ data, type }) =>
    typeof data === 'string' ? [data] : isDto(type) ? fieldNames(type) : [],
  );
  // A class without decorated members says as little as an interface does.
  return names.some((some) => some.length === 0) ? undefined : new Set(names.flat());
}

function listNamesOf({ data, type }: Parameter): string[] {
  if (typeof data === 'string') return (type as unknown) === Array ? [data] : [];
  if (!isDto(type)) return [];
  return dtoMembers(type)
    .filter(({ isList }) => isList)
    .map(({ name }) => name);
}

function parametersOf(controller: Type, method: string): Parameter[] {
  const noted = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { readonly index: number; readonly data?: unknown }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ??
    []) as Type[];
  return Object.entries(noted).map(([key, { index, data }]) => ({
    // `4:0`: the kind and the index. Those of parameter decorators of one's own begin otherwise.
    kind: Number(key.split(':')[0]),
    data,
    type: types[index],
  }));
}
