import { Injectable, StandardSchemaValidationPipe, type Type, ValidationPipe } from '@nestjs/common';
import { PIPES_METADATA, ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { isDto } from '../../validation/dto-members';
import { UndeclaredPipe, watchUndeclared } from '../../validation/undeclared.pipe';
import { SchemaPipe } from '../../validation/schema.pipe';
import { documentable, type StandardSchema } from '../../validation/standard-schema';

/** A parameter of a handler as Nest's decorators note it. */
interface NotedParameter {
  readonly index: number;
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

const UNDECLARED = new UndeclaredPipe();

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
    refuseUndeclared(this.config.getGlobalPipes());
    for (const { metatype } of this.discovery.getControllers()) {
      const controller = metatype as Type;
      refuseUndeclared(pipesOf(controller));
      for (const name of this.scanner.getAllMethodNames(controller.prototype as object)) {
        completeMethod(controller, name, [...pipes, ...pipesOf(controller)]);
      }
    }
  }
}

/** @param above pipes of the application and of the controller */
function completeMethod(controller: Type, name: string, above: readonly unknown[]): void {
  const handler = (controller.prototype as Record<string, object>)[name] as object;
  refuseUndeclared(pipesOf(handler));
  const noted = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    NotedParameter
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ??
    []) as Type[];
  for (const [key, parameter] of Object.entries(noted)) {
    const kind = Number(key.split(':')[0]);
    const type = types[parameter.index];
    const pipesOfIt = [...above, ...pipesOf(handler), ...parameter.pipes];
    if (kind === (RouteParamtypes.BODY as number) && isDto(type) && pipesOfIt.some(forbidsOthers)) {
      watchUndeclared(type);
    }
    refuseUndeclared(parameter.pipes);
    if (!parameter.schema || !JUDGED.includes(kind)) continue;
    parameter.schema = documentable(parameter.schema);
    const judges = kind === (RouteParamtypes.RAW_BODY as number) ? judgesBytes : judgesSchemas;
    if (!pipesOfIt.some(judges)) parameter.pipes.unshift(PIPE);
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

/** Tells a ValidationPipe that refuses members which a DTO does not declare; one made by Nest has no options. */
function forbidsOthers(pipe: unknown): boolean {
  const { validatorOptions } = pipe as { readonly validatorOptions?: { forbidNonWhitelisted?: boolean } };
  return pipe instanceof ValidationPipe && validatorOptions?.forbidNonWhitelisted === true;
}

/** Refuses such members ahead of the first pipe that would, which gets a body without them. */
function refuseUndeclared(pipes: unknown[]): void {
  const at = pipes.findIndex(forbidsOthers);
  if (at >= 0 && !pipes.includes(UNDECLARED)) pipes.splice(at, 0, UNDECLARED);
}

/** Bytes are judged only by a pipe that is told to judge the values of custom decorators. */
function judgesBytes(pipe: unknown): boolean {
  return (
    judgesSchemas(pipe) && (pipe as { validateCustomDecorators?: boolean }).validateCustomDecorators === true
  );
}
