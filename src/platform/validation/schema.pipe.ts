import { type ArgumentMetadata, StandardSchemaValidationPipe } from '@nestjs/common';
import type { AppError } from '../errors/app-error';
import { InvalidBodyError, InvalidFieldError, InvalidParameterError } from '../errors/http-errors';
import type { SchemaIssue } from './standard-schema';

/** Most characters of a library's text that go into a sentence: some libraries repeat the value. */
const MAX_TEXT = 300;

/** Nest's pipe for Standard Schemas, with this service's refusals: they name the member by its path, `crew[1].born`. */
export class SchemaPipe extends StandardSchemaValidationPipe {
  /**
   * Validates a value by its schema.
   *
   * @throws InvalidFieldError, InvalidBodyError or InvalidParameterError
   */
  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    const { schema } = metadata;
    if (!schema || !this.toValidate(metadata)) return value;
    this.stripProtoKeys(value);
    const result = await this.validate(value, schema);
    if (!result.issues) return result.value as T;
    const [issue = { message: 'Invalid value' }] = result.issues;
    throw refusal(value, issue, metadata);
  }
}

function refusal(value: unknown, issue: SchemaIssue, { type, data }: ArgumentMetadata): AppError {
  const message = sentence(value, issue, data);
  if (type !== 'body' && type !== 'custom')
    return new InvalidParameterError({ message: message ?? `The ${type} parameters are invalid.` });
  return message === undefined
    ? new InvalidBodyError({ message: textOf(issue, 'The body') })
    : new InvalidFieldError({ message });
}

/** Writes one sentence that names the member; undefined when the issue is about the value as a whole. */
function sentence(value: unknown, issue: SchemaIssue, name?: string): string | undefined {
  let path = name ?? '';
  let at = value;
  for (const segment of issue.path ?? []) {
    const key = typeof segment === 'object' ? segment.key : segment;
    path += typeof key === 'number' ? `[${key}]` : `${path && '.'}${String(key)}`;
    at = (at as Record<PropertyKey, unknown> | undefined | null)?.[key];
  }
  if (path === '') return undefined;
  return at === undefined ? `${path} is required.` : textOf(issue, path);
}

/** Writes a library's text with the path: it names the member by its path itself, as those of arktype do, or not at all. */
function textOf({ message }: SchemaIssue, path: string): string {
  const text = message.length > MAX_TEXT ? `${message.slice(0, MAX_TEXT)}…` : message;
  const ended = /[.…]$/.test(text) ? text : `${text}.`;
  return ended.startsWith(`${path} `) ? ended : `${path}: ${ended}`;
}
