import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateIf } from 'class-validator';
import type { ValueRule } from '../values/kinds/kind';
import { fieldRule, type RuleFault } from './field-rule';

/** Extension of a field that identifies a person, in the document. */
export const PERSONAL = 'x-personal';

type FieldValue = string | number | boolean;

/** Limits on the number of items of an array, as in JSON Schema. */
export interface ArrayLimits {
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** Options of every field. */
export interface FieldOptions extends ArrayLimits {
  readonly description: string;
  /** Example in the document; must be valid. */
  readonly example: FieldValue | readonly FieldValue[];
  /** True if the field may be left out. null is still refused. */
  readonly optional?: boolean;
  /**
   * Default of a member that is left out, for the document. The service sets it: a patch leaves out members that it does not
   * change.
   */
  readonly default?: FieldValue | readonly FieldValue[];
  /** True for an array: the limits and formats of the field are those of each item. */
  readonly isArray?: boolean;
  /** True if no two items of the array may be the same. */
  readonly uniqueItems?: boolean;
  /**
   * True if the value identifies a person, in the DTO of a record: then an erasure overwrites it in the audit log.
   */
  readonly isPersonal?: boolean;
}

/** Documents a member, reads it and validates it by the rule for its value, or for each item of an array. */
export function field(options: FieldOptions, rule: ValueRule): PropertyDecorator {
  const { example, optional = false, default: fallback, isArray = false, isPersonal = false } = options;
  const { read, limits } = rule;
  const subject = isArray ? 'Each' : 'It';
  const mayBeLeftOut = optional || fallback !== undefined;
  const property = {
    ...(isArray ? arraySchema(rule.schema, options) : rule.schema),
    description: limits
      ? `${options.description} ${subject} must be ${limits.replace('of ', '')}.`
      : options.description,
    example,
    default: fallback,
    required: !mayBeLeftOut,
    ...(isPersonal && { [PERSONAL]: true }),
  } as ApiPropertyOptions;
  return applyDecorators(
    ApiProperty(property),
    ...(read ? [Transform(({ value, obj }) => readValue(value, obj as object, isArray, read))] : []),
    fieldRule(
      (value) => (isArray ? arrayFault(value, options, rule) === undefined : rule.isValid(value)),
      (value) =>
        (isArray ? arrayFault(value, options, rule) : undefined) ?? {
          predicate: rule.sentence,
          plainPredicate: rule.plainSentence,
        },
    ),
    ...(mayBeLeftOut ? [ifPresent()] : []),
  );
}

/** Validates a member only if it is present; class-validator's own IsOptional would accept null as well. */
export function ifPresent(): PropertyDecorator {
  return (target, property) =>
    ValidateIf((dto: Record<string | symbol, unknown>) => dto[property] !== undefined)(target, property);
}

/**
 * Describes a wrong number of items, as the predicate behind the name of the array; returns undefined for an allowed number.
 */
export function itemCountFault(
  value: unknown,
  { minItems = 0, maxItems = Infinity }: ArrayLimits,
): string | undefined {
  if (Array.isArray(value) && value.length >= minItems && value.length <= maxItems) return undefined;
  if (minItems === 0 && maxItems === Infinity) return 'must be an array';
  if (maxItems === Infinity) return `must be an array of at least ${minItems} items`;
  return `must be an array of ${minItems === 0 ? 'at most' : `${minItems} to`} ${maxItems} items`;
}

function arrayFault(
  value: unknown,
  options: Pick<FieldOptions, 'minItems' | 'maxItems' | 'uniqueItems'>,
  { isValid, sentence }: ValueRule,
): RuleFault | undefined {
  const predicate = itemCountFault(value, options);
  if (predicate !== undefined) return { predicate };
  const items = value as { valueOf(): unknown }[];
  const index = items.findIndex((item) => !isValid(item));
  if (index >= 0) return { place: `[${index}]`, predicate: sentence };
  const repeated = options.uniqueItems ? repetitionIn(items.map((item) => item.valueOf())) : -1;
  return repeated < 0
    ? undefined
    : { place: `[${repeated}]`, predicate: 'must be different from the items before it' };
}

/** The index of the first value that an earlier one is the same as; -1 if there is none. */
function repetitionIn(values: readonly unknown[]): number {
  const seen = new Set<unknown>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) return index;
    seen.add(value);
  }
  return -1;
}

function readValue(
  value: unknown,
  body: object,
  isArray: boolean,
  read: NonNullable<ValueRule['read']>,
): unknown {
  if (!isArray) return read(value, body);
  return Array.isArray(value) ? value.map((item) => read(item, body)) : value;
}

/** Returns the schema of an array; @nestjs/swagger itself makes an array of a named enum. */
function arraySchema(
  schema: ValueRule['schema'],
  { minItems, maxItems, uniqueItems }: FieldOptions,
): ApiPropertyOptions {
  const array = 'enum' in schema ? { ...schema, isArray: true } : { type: 'array', items: schema };
  return { ...array, minItems, maxItems, uniqueItems } as ApiPropertyOptions;
}
