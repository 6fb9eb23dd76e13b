import type { AppErrorClass, ErrorDeclaration } from '../errors/app-error';
import {
  BadRequestError,
  ExpectationFailedError,
  HeadersTooLargeError,
  InternalError,
  InvalidBodyError,
  InvalidCursorError,
  InvalidFieldError,
  InvalidIdempotencyKeyError,
  InvalidJsonError,
  InvalidParameterError,
  InvalidPathError,
  InvalidRequestError,
  MethodNotAllowedError,
  NotAcceptableError,
  NotFoundError,
  OperationBrownoutError,
  OperationRemovedError,
  OverloadedError,
  PayloadTooLargeError,
  RateLimitedError,
  RequestTimeoutError,
  ServiceUnavailableError,
  UnknownParameterError,
  UnsupportedMediaTypeError,
  UriTooLongError,
} from '../errors/http-errors';
import type { Operation } from '../http/operations/operation';
import {
  AddressNotAllowedError,
  InsufficientScopeError,
  InvalidApiKeyError,
  UnauthorizedError,
} from '../security/security-errors';

/** Errors that a request can meet before its operation is known. */
export const ERRORS_OF_ANY_REQUEST: readonly AppErrorClass[] = [
  BadRequestError,
  InvalidPathError,
  NotFoundError,
  MethodNotAllowedError,
  RequestTimeoutError,
  UriTooLongError,
  ExpectationFailedError,
  HeadersTooLargeError,
  OverloadedError,
  ServiceUnavailableError,
];

/** An error response of an operation. */
export interface DocumentedError {
  readonly status: string;
  readonly description: string;
  readonly errors: readonly AppErrorClass[];
}

/** Returns the error responses of an operation: those of every operation of its kind, and those it declares itself. */
export function errorsOf(operation: Operation): DocumentedError[] {
  const own = operation.errors.map(({ error, description }) => ({
    status: String(error.declaration.status),
    description,
    errors: [error],
  }));
  const groups = Map.groupBy([...own, ...platformErrorsOf(operation)], ({ status }) => status);
  return [...groups].map(([status, responses]) => ({
    status,
    description: responses.map(({ description }) => description).join(' '),
    errors: responses.flatMap(({ errors }) => errors),
  }));
}

function platformErrorsOf(operation: Operation): DocumentedError[] {
  const invalid = [...errorsOfContent(operation), UnknownParameterError];
  // A client can avoid this on any operation, so it stands under 400 only where that has other reasons as well.
  if (!operation.isPublic || operation.hasBody) invalid.push(InvalidRequestError);
  const description = descriptionOfInvalid(operation);
  return [
    ...(description === undefined ? [] : [{ status: '400', description, errors: invalid }]),
    ...(operation.isPublic
      ? []
      : [
          {
            status: '401',
            description: 'The API key is missing or invalid.',
            errors: [UnauthorizedError, InvalidApiKeyError],
          },
        ]),
    {
      status: 'default',
      description: 'Any other error.',
      errors: [...(description === undefined ? invalid : []), ...otherErrorsOf(operation)],
    },
  ];
}

/** Returns the reasons for a 400 in words; undefined where an operation has none but those of every operation. */
function descriptionOfInvalid({ hasBody, queryNames, isIdempotent }: Operation): string | undefined {
  if (hasBody) return 'The body is not JSON, lacks a required member or has an invalid value.';
  if (queryNames?.size) return 'A query parameter is unknown, repeated or has an invalid value.';
  return isIdempotent ? 'The `Idempotency-Key` is malformed or repeated.' : undefined;
}

function errorsOfContent({ hasBody, queryNames, isIdempotent }: Operation): AppErrorClass[] {
  return [
    // What follows a head that was well-formed may not be.
    ...(hasBody ? [InvalidFieldError, InvalidJsonError, InvalidBodyError, BadRequestError] : []),
    ...(queryNames?.size ? [InvalidParameterError] : []),
    ...(queryNames?.has('cursor') ? [InvalidCursorError] : []),
    ...(isIdempotent ? [InvalidIdempotencyKeyError] : []),
  ];
}

function otherErrorsOf(operation: Operation): AppErrorClass[] {
  const { isPublic, response, hasBody, hasForm, deprecation } = operation;
  return [
    ...(isPublic ? [] : [AddressNotAllowedError, InsufficientScopeError]),
    ...(response ? [NotAcceptableError] : []),
    ...(hasBody ? [RequestTimeoutError] : []),
    ...(deprecation ? [OperationBrownoutError, OperationRemovedError] : []),
    ...(hasBody || hasForm ? [PayloadTooLargeError, UnsupportedMediaTypeError] : []),
    ...(isPublic && response?.kind !== 'page' ? [] : [RateLimitedError]),
    InternalError,
    OverloadedError,
    ServiceUnavailableError,
  ];
}

/**
 * Returns every error that clients can meet, by status and code: those that operations declare, and those of requests for none
 * of them.
 */
export function errorCatalogue(operations: readonly Operation[]): ErrorDeclaration[] {
  const ofOperations = operations
    .filter(({ listener, isDocumented }) => listener === 'public' && isDocumented)
    .flatMap((operation) => errorsOf(operation).flatMap(({ errors }) => errors));
  const all = new Set([...ERRORS_OF_ANY_REQUEST, ...ofOperations].map(({ declaration }) => declaration));
  return [...all].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}

/**
 * Returns error bodies as the operation sends them, one for each code, as examples.
 *
 * @param required name of a member that the body must have
 */
export function errorExamples(
  errors: readonly AppErrorClass[],
  operation: Operation,
  required: string | undefined,
): { example?: object; examples?: object } {
  const messages = exampleMessages(operation, required);
  const values = errors.map(({ declaration: { code, message, status } }) => ({
    code,
    message: messages[code] ?? message,
    status,
  }));
  if (values.length === 1) return { example: values[0] };
  return {
    examples: Object.fromEntries(
      values.map((value, index) => [
        value.code,
        { summary: (errors[index] as AppErrorClass).declaration.message, value },
      ]),
    ),
  };
}

/** Returns messages that name what is at fault, by code: the declared one stands for them in tables. */
function exampleMessages({ queryNames }: Operation, required: string | undefined): Record<string, string> {
  const [parameter] = queryNames ?? [];
  return {
    [UnknownParameterError.declaration.code]: 'no-such-parameter is not a query parameter of this operation.',
    [InvalidCursorError.declaration.code]: 'The cursor is malformed.',
    ...(parameter !== undefined && {
      [InvalidParameterError.declaration.code]: `${parameter} may be given only once.`,
    }),
    ...(required !== undefined && { [InvalidFieldError.declaration.code]: `${required} is required.` }),
  };
}
