import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { AppErrorClass } from '../../errors/app-error';

/** How an operation answers on success. */
export interface AnswerDeclaration {
  readonly kind: 'one' | 'page' | 'created' | 'nothing';
  readonly status: number;
  /** Name of the array schema in the document, for pages. */
  readonly collection?: string;
}

export const ANSWER_METADATA = 'petstore:answer';

/** Answers 200 with one DTO. */
export function Answers(type: Type, description: string): MethodDecorator {
  return applyDecorators(answer({ kind: 'one', status: 200 }), ApiOkResponse({ type, description }));
}

/** Answers 200 with an array of DTOs, named in the document, and a Link header while there is more. */
export function AnswersPage(type: Type, collection: string, description: string): MethodDecorator {
  return applyDecorators(
    answer({ kind: 'page', status: 200, collection }),
    ApiOkResponse({ type: [type], description }),
  );
}

/** Answers 201 with one DTO and its Location. */
export function AnswersCreated(type: Type, description: string): MethodDecorator {
  return applyDecorators(
    HttpCode(201),
    answer({ kind: 'created', status: 201 }),
    ApiCreatedResponse({ type, description }),
  );
}

/** Answers 204 without a body. */
export function AnswersNothing(description: string): MethodDecorator {
  return applyDecorators(
    HttpCode(204),
    answer({ kind: 'nothing', status: 204 }),
    ApiNoContentResponse({ description }),
  );
}

/** An error of the domain an operation answers. */
export interface DeclaredError {
  readonly error: AppErrorClass;
  /** When it is answered. */
  readonly description: string;
}

export const ERRORS_METADATA = 'petstore:errors';

/** Documents an error of the domain the operation answers; there may be several, of one status too. */
export function AnswersError(error: AppErrorClass, description: string): MethodDecorator {
  return (_target, _property, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const others = (Reflect.getMetadata(ERRORS_METADATA, handler) ?? []) as DeclaredError[];
    // Decorators run from the last to the first.
    Reflect.defineMetadata(ERRORS_METADATA, [{ error, description }, ...others], handler);
  };
}

function answer(declaration: AnswerDeclaration): MethodDecorator {
  return SetMetadata(ANSWER_METADATA, declaration);
}
