import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidatorOptions } from 'class-validator';
import { InvalidJsonError } from '../../platform/errors/http-errors';
import { readJson } from '../../platform/values/json-reader';
import { kindNamed } from '../../platform/values/kinds/kinds';
import { faultOf } from '../../platform/validation/fault-sentence';
import { fieldsOf, type FieldKind, type RecordField } from './record-fields';
import { InvalidRecordError } from './records.errors';

/** Texts of values as people write them, by field. */
export type FieldTexts = Readonly<Record<string, string | undefined>>;

/**
 * Creates the DTO of a creation from texts, by the rules of the interface's request body. A field without a text is left out;
 * an empty text leaves a field out, too, unless the field is a required text, for which it is the empty string.
 *
 * @throws InvalidRecordError naming every field at fault
 */
export function readCreation<Dto extends object>(dto: Type<Dto>, texts: FieldTexts): Dto {
  return validate(dto, plainOf(dto, texts, emptyInCreation));
}

/**
 * Creates the DTO of a patch from texts. A field that is not named stays as it is. An empty text removes the value; for a text
 * that cannot be removed it is the empty string.
 *
 * @throws InvalidRecordError naming every field at fault
 */
export function readPatch<Dto extends object>(dto: Type<Dto>, texts: FieldTexts): Dto {
  const emptied = ({ kind, isNullable }: RecordField) => (kind === 'text' && !isNullable ? '' : null);
  const plain = plainOf(dto, texts, emptied);
  return validate(
    dto,
    plain,
    {},
    plainOf(dto, texts, (field) => emptied(field) ?? undefined),
  );
}

/**
 * Reads the values of the fields that have a text, by their rules; for search criteria, which need not be complete.
 *
 * @throws InvalidRecordError naming every field at fault
 */
export function readValues<Dto extends object>(dto: Type<Dto>, texts: FieldTexts): Partial<Dto> {
  const given = Object.entries(plainOf(dto, texts, () => undefined)).filter(
    ([, value]) => value !== undefined,
  );
  return validate(dto, Object.fromEntries(given), { skipMissingProperties: true });
}

/**
 * Converts a text to the value that a request body would have: a number, a boolean or an array if the text is one; otherwise
 * the text, which the rule of the field then judges.
 */
export function valueOf(kind: FieldKind, text: string): unknown {
  if (kind === 'array') return jsonOf(text) ?? text;
  const { toJson } = kindNamed(kind);
  return toJson ? toJson(text) : text;
}

function jsonOf(text: string): unknown {
  try {
    return readJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}

/** The value of a creation's field for an empty text: undefined, or the empty string if the field is a required text. */
export function emptyInCreation({ kind, isOptional }: RecordField): '' | undefined {
  return kind === 'text' && !isOptional ? '' : undefined;
}

/** @param emptied returns the value of a field whose text is empty */
function plainOf(
  dto: Type,
  texts: FieldTexts,
  emptied: (field: RecordField) => unknown,
): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const field of fieldsOf(dto)) {
    const { name, kind } = field;
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (text !== undefined) plain[name] = text === '' ? emptied(field) : valueOf(kind, text);
  }
  return plain;
}

/** Tells whether a field of a DTO class can have a value, given as in a request body. */
export function isValid(dto: Type, name: string, value: unknown): boolean {
  const instance = plainToInstance(dto, { [name]: value }) as object;
  return validateSync(instance, { skipMissingProperties: true, forbidUnknownValues: false }).length === 0;
}

/**
 * Creates a DTO from plain values, as the interface does from a body.
 *
 * @param given decides which fields are reported as missing; the plain values, unless one of them stands for no value
 * @throws InvalidRecordError naming every field at fault
 */
export function validate<Dto extends object>(
  dto: Type<Dto>,
  plain: Record<string, unknown>,
  options: ValidatorOptions = {},
  given = plain,
): Dto {
  // Explicitly undefined members too: validation names the missing ones.
  for (const { name } of fieldsOf(dto)) plain[name] ??= plain[name] === null ? null : undefined;
  const instance = plainToInstance(dto, plain);
  const faults = validateSync(instance, {
    ...options,
    stopAtFirstError: true,
    forbidUnknownValues: false,
  }).map((fault) => faultOf(fault, given));
  if (faults.length > 0) throw new InvalidRecordError(faults);
  return instance;
}
