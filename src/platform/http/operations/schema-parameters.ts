import { Injectable, StandardSchemaValidationPipe, type Type } from '@nestjs/common';
import { PIPES_METADATA, ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { SchemaPipe } from '../../validation/schema.pipe';
import { documentable, type StandardSchema } from '../../validation/standard-schema';

/** A parameter of a handler as Nest's decorators note it. */
interface NotedParameter {
  schema?: StandardSchema;
  readonly pipes: unknown[];
}

/** Where @nestjs/swagger notes what `@ApiResponse()` and its kin state, by status. */
const RESPONSES_METADATA = 'swagger/apiResponse';

/** An instance: Nest looks for classes of pipes before this runs. */
const PIPE = new SchemaPipe();

const JUDGED: readonly number[] = [
  RouteParamtypes.BODY,
  RouteParamtypes.RAW_BODY,
  RouteParamtypes.QUERY,
  RouteParamtypes.PARAM,
];

/** Parameters with a Standard Schema, `@Body({ schema })`: each is judged, and documented, as Nest leaves to its users. */
@Injectable()
export class SchemaParameters {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly config: ApplicationConfig,
  ) {}

  /** Binds a pipe to those that none judges yet. To be called before Nest registers routes. */
  complete(): void {
    const isJudgedEverywhere = [
      ...this.config.getGlobalPipes(),
      ...this.config.getGlobalRequestPipes().map(({ metatype }) => metatype),
    ].some(judgesSchemas);
    for (const { metatype } of this.discovery.getControllers()) {
      const controller = metatype as Type;
      const isJudged = isJudgedEverywhere || pipesOf(controller).some(judgesSchemas);
      for (const name of this.scanner.getAllMethodNames(controller.prototype as object)) {
        completeMethod(controller, name, isJudged);
      }
    }
  }
}

function completeMethod(controller: Type, name: string, isJudgedAbove: boolean): void {
  const handler = (controller.prototype as Record<string, object>)[name] as object;
  const isJudged = isJudgedAbove || pipesOf(handler).some(judgesSchemas);
  const noted = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    NotedParameter
  >;
  for (const [key, parameter] of Object.entries(noted)) {
    if (!parameter.schema || !JUDGED.includes(Number(key.split(':')[0]))) continue;
    parameter.schema = documentable(parameter.schema);
    if (!isJudged && !parameter.pipes.some(judgesSchemas)) parameter.pipes.unshift(PIPE);
  }
  const responses = Reflect.getMetadata(RESPONSES_METADATA, handler) as
    Record<string, { standardSchema?: object }> | undefined;
  for (const response of Object.values(responses ?? {})) {
    if (response.standardSchema) response.standardSchema = documentable(response.standardSchema);
  }
}

function pipesOf(target: object): unknown[] {
  return (Reflect.getMetadata(PIPES_METADATA, target) ?? []) as unknown[];
}

function judgesSchemas(pipe: unknown): boolean {
  const prototype: unknown = typeof pipe === 'function' ? pipe.prototype : pipe;
  return (
    prototype instanceof StandardSchemaValidationPipe || prototype === StandardSchemaValidationPipe.prototype
  );
}
