import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { AppErrorClass } from '../../errors/app-error';

/** Response of an operation on success. */
export interface ResponseDeclaration {
  readonly kind: 'one' | 'page' | 'created' | 'nothing';
  readonly status: number;
  /** The DTO of the body, or of each item of a page. */
  readonly type?: Type;
  /** Name of the array schema in the document, for pages. */
  readonly collection?: string;
}

export const RESPONSE_METADATA = 'petstore:response';

/** Responds 200 with one DTO. */
export function OkResponse(type: Type, description: string): MethodDecorator {
  return applyDecorators(declare({ kind: 'one', status: 200, type }), ApiOkResponse({ type, description }));
}

/** Responds 200 with an array of DTOs, named in the document, and a Link header while there is more. */
export function PageResponse(type: Type, collection: string, description: string): MethodDecorator {
  return applyDecorators(
    declare({ kind: 'page', status: 200, type, collection }),
    ApiOkResponse({ type: [type], description }),
  );
}

/** Responds 201 with one DTO and its Location. */
export function CreatedResponse(type: Type, description: string): MethodDecorator {
  return applyDecorators(
    HttpCode(201),
    declare({ kind: 'created', status: 201, type }),
    ApiCreatedResponse({ type, description }),
  );
}

/** Responds 204 without a body. */
export function NoContentResponse(description: string): MethodDecorator {
  return applyDecorators(
    HttpCode(204),
    declare({ kind: 'nothing', status: 204 }),
    ApiNoContentResponse({ description }),
  );
}

/** An error of the domain that an operation responds with. */
export interface DeclaredError {
  readonly error: AppErrorClass;
  /** Circumstances of the error. */
  readonly description: string;
}

export const ERRORS_METADATA = 'petstore:errors';

/** Documents an error of the domain the operation responds with; there may be several, of one status too. */
export function ErrorResponse(error: AppErrorClass, description: string): MethodDecorator {
  return (_target, _property, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const others = (Reflect.getMetadata(ERRORS_METADATA, handler) ?? []) as DeclaredError[];
    // Decorators run from the last to the first.
    Reflect.defineMetadata(ERRORS_METADATA, [{ error, description }, ...others], handler);
  };
}

function declare(declaration: ResponseDeclaration): MethodDecorator {
  return SetMetadata(RESPONSE_METADATA, declaration);
}
