import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import { FIELD_RULE } from './dto-members';

type FieldValue = string | number | boolean;

/** How many items an array has, as JSON Schema has it. */
export interface ArrayLimits {
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** What every field says about itself. */
export interface FieldOptions extends ArrayLimits {
  readonly description: string;
  /** Shown in the document; must be valid. */
  readonly example: FieldValue | readonly FieldValue[];
  /** May be left out. null is still refused. */
  readonly optional?: boolean;
  /** Says what stands for a member that is left out. The service puts it there: a patch leaves out what it does not change. */
  readonly default?: FieldValue | readonly FieldValue[];
  /** Whether it is an array: the limits and formats of the field are those of each item. */
  readonly isArray?: boolean;
}

/** What a field holds its values to: the items of an array, or its only one. */
export interface FieldRule {
  readonly schema: ApiPropertyOptions;
  /** The value in the DTO of one in a body. */
  readonly read?: (value: unknown, body: object) => unknown;
  readonly isValid: (value: unknown) => boolean;
  /** What is said of another value: `must be true or false`. */
  readonly sentence: string;
}

/** Documents a member, reads it and holds it to a rule. */
export function field(options: FieldOptions, rule: FieldRule): PropertyDecorator {
  const { description, example, optional = false, default: fallback, isArray = false } = options;
  const { read } = rule;
  const mayBeLeftOut = optional || fallback !== undefined;
  const property = {
    ...(isArray ? arraySchema(rule.schema, options) : rule.schema),
    description,
    example,
    default: fallback,
    required: !mayBeLeftOut,
  } as ApiPropertyOptions;
  return applyDecorators(
    ApiProperty(property),
    ...(read ? [Transform(({ value, obj }) => readValue(value, obj as object, isArray, read))] : []),
    ValidateBy({
      name: FIELD_RULE,
      validator: {
        validate: (value) => (isArray ? arrayFault(value, options, rule) === undefined : rule.isValid(value)),
        defaultMessage: (context) => {
          const fault = isArray ? arrayFault(context?.value, options, rule) : ` ${rule.sentence}`;
          return `${context?.property}${fault}.`;
        },
      },
    }),
    ...(mayBeLeftOut ? [ifPresent()] : []),
  );
}

/** class-validator's own IsOptional would accept null as well. */
export function ifPresent(): PropertyDecorator {
  return (target, property) =>
    ValidateIf((dto: Record<string | symbol, unknown>) => dto[property] !== undefined)(target, property);
}

/** What is wrong with the number of items, behind the name of the array; undefined when nothing is. */
export function itemCountFault(
  value: unknown,
  { minItems = 0, maxItems = Infinity }: ArrayLimits,
): string | undefined {
  if (Array.isArray(value) && value.length >= minItems && value.length <= maxItems) return undefined;
  if (minItems === 0 && maxItems === Infinity) return ' must be an array';
  if (maxItems === Infinity) return ` must be an array of at least ${minItems} items`;
  return ` must be an array of ${minItems === 0 ? 'at most' : `${minItems} to`} ${maxItems} items`;
}

function arrayFault(
  value: unknown,
  limits: ArrayLimits,
  { isValid, sentence }: FieldRule,
): string | undefined {
  const fault = itemCountFault(value, limits);
  if (fault !== undefined) return fault;
  const index = (value as unknown[]).findIndex((item) => !isValid(item));
  return index < 0 ? undefined : `[${index}] ${sentence}`;
}

function readValue(
  value: unknown,
  body: object,
  isArray: boolean,
  read: NonNullable<FieldRule['read']>,
): unknown {
  if (!isArray) return read(value, body);
  return Array.isArray(value) ? value.map((item) => read(item, body)) : value;
}

/** @nestjs/swagger itself makes an array of a named enum. */
function arraySchema(schema: ApiPropertyOptions, { minItems, maxItems }: ArrayLimits): ApiPropertyOptions {
  const array = 'enum' in schema ? { ...schema, isArray: true } : { type: 'array', items: schema };
  return { ...array, minItems, maxItems } as ApiPropertyOptions;
}
