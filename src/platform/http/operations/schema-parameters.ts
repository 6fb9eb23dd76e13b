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

/** Metadata key under which @nestjs/swagger keeps the statements of `@ApiResponse()` and its kin, by status. */
const RESPONSES_METADATA = 'swagger/apiResponse';

/**
 * The pipe as an instance: Nest looks for classes of pipes before this runs. It validates bytes too, which Nest takes for a
 * custom decorator's.
 */
const PIPE = new SchemaPipe({ validateCustomDecorators: true });

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

  /** Binds a pipe to the parameters that no pipe validates yet. To be called before Nest registers routes. */
  complete(): void {
    const pipes: readonly unknown[] = [
      ...this.config.getGlobalPipes(),
      ...this.config.getGlobalRequestPipes().map(({ metatype }) => metatype),
    ];
    for (const { metatype } of this.discovery.getControllers()) {
      const controller = metatype as Type;
      for (const name of this.scanner.getAllMethodNames(controller.prototype as object)) {
        completeMethod(controller, name, [...pipes, ...pipesOf(controller)]);
      }
    }
  }
}

/** @param above pipes of the application and of the controller */
function completeMethod(controller: Type, name: string, above: readonly unknown[]): void {
  const handler = (controller.prototype as Record<string, object>)[name] as object;
  const noted = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    NotedParameter
  >;
  for (const [key, parameter] of Object.entries(noted)) {
    const kind = Number(key.split(':')[0]);
    if (!parameter.schema || !JUDGED.includes(kind)) continue;
    parameter.schema = documentable(parameter.schema);
    const judges = kind === (RouteParamtypes.RAW_BODY as number) ? judgesBytes : judgesSchemas;
    if (![...above, ...pipesOf(handler), ...parameter.pipes].some(judges)) parameter.pipes.unshift(PIPE);
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

/** Bytes are judged only by a pipe that is told to judge the values of custom decorators. */
function judgesBytes(pipe: unknown): boolean {
  return (
    judgesSchemas(pipe) && (pipe as { validateCustomDecorators?: boolean }).validateCustomDecorators === true
  );
}
