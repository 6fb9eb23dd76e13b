import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import type { AppErrorClass } from '../errors/app-error';

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

/** Documents an error of the domain the operation answers. */
export function AnswersError(error: AppErrorClass, description: string): MethodDecorator {
  const { status, code, message } = error.declaration;
  return ApiResponse({
    status,
    description,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { code, message, status },
      },
    },
  });
}

function answer(declaration: AnswerDeclaration): MethodDecorator {
  return SetMetadata(ANSWER_METADATA, declaration);
}
