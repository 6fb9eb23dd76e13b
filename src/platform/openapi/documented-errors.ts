import type { AppErrorClass } from '../errors/app-error';
import {
  InternalError,
  InvalidBodyError,
  InvalidCursorError,
  InvalidFieldError,
  InvalidJsonError,
  InvalidParameterError,
  InvalidRequestError,
  NotAcceptableError,
  OperationBrownoutError,
  OperationRemovedError,
  PayloadTooLargeError,
  RateLimitedError,
  RequestTimeoutError,
  ServiceUnavailableError,
  UnknownParameterError,
  UnsupportedMediaTypeError,
} from '../errors/http-errors';
import type { Operation } from '../http/operations/operation';
import { InsufficientScopeError, InvalidApiKeyError, UnauthorizedError } from '../security/security-errors';

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
  const found: DocumentedError[] = [];
  // A client can avoid this on any operation, so it stands under 400 only where that has other reasons as well.
  const wherever = operation.isPublic && !operation.hasBody ? [] : [InvalidRequestError];
  if (operation.hasBody) {
    found.push({
      status: '400',
      description: 'The body is not JSON, lacks a required member or has an invalid value.',
      errors: [InvalidFieldError, InvalidJsonError, InvalidBodyError, UnknownParameterError, ...wherever],
    });
  } else if (operation.queryNames?.size) {
    found.push({
      status: '400',
      description: 'A query parameter is unknown, repeated or has an invalid value.',
      errors: [
        InvalidParameterError,
        UnknownParameterError,
        ...(operation.queryNames.has('cursor') ? [InvalidCursorError] : []),
        ...wherever,
      ],
    });
  }
  if (!operation.isPublic) {
    found.push({
      status: '401',
      description: 'The API key is missing or invalid.',
      errors: [UnauthorizedError, InvalidApiKeyError],
    });
  }
  found.push({
    status: 'default',
    description: 'Any other error.',
    errors: [
      ...(found.some(({ status }) => status === '400') ? [] : [UnknownParameterError, ...wherever]),
      ...(operation.isPublic ? [] : [InsufficientScopeError]),
      ...(operation.response ? [NotAcceptableError] : []),
      ...(operation.hasBody ? [RequestTimeoutError] : []),
      ...(operation.deprecation ? [OperationBrownoutError, OperationRemovedError] : []),
      ...(operation.hasBody ? [PayloadTooLargeError, UnsupportedMediaTypeError] : []),
      ...(operation.isPublic ? [] : [RateLimitedError]),
      InternalError,
      ServiceUnavailableError,
    ],
  });
  return found;
}

/** Returns the error bodies that a client can expect to the letter, one for each code, as examples. */
export function errorExamples(errors: readonly AppErrorClass[]): { example?: object; examples?: object } {
  const values = errors.map(({ declaration: { code, message, status } }) => ({ code, message, status }));
  if (values.length === 1) return { example: values[0] };
  return {
    examples: Object.fromEntries(values.map((value) => [value.code, { summary: value.message, value }])),
  };
}
