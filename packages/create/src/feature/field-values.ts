import { Refusal } from '../refusal.ts';
import type { FieldEnum } from './field-enum.ts';
import type { FieldOptions } from './field-options.ts';
import { type DecimalDigits, JSON_NUMBER } from './field-samples.ts';
import { FIELD_TYPES, type FieldCode, type FieldType } from './field-types.ts';

/** Rules for the values of a field. */
export interface ValueRules {
  readonly name: string;
  readonly type: FieldType;
  readonly isArray: boolean;
  readonly options: FieldOptions;
  readonly enum: FieldEnum | undefined;
  /** Undefined unless the type is a decimal. */
  readonly digits: DecimalDigits | undefined;
}

const LENGTH = /^(0|[1-9]\d{0,6})$/;

/**
 * Refuses limits, defaults and examples that contradict each other or the type.
 *
 * @throws Refusal
 */
export function refuseWrongRules(rules: ValueRules): void {
  const { name, type, isArray, options } = rules;
  const { min, max, pattern } = options;
  if (isArray) refuseWrongCounts(name, options);
  for (const [limit, text] of Object.entries({ min, max })) {
    const isLimit = text === undefined || (type === 'string' ? LENGTH.test(text) : isOfType(rules, text));
    if (isLimit && (type !== 'int64' || Number.isSafeInteger(Number(text ?? 0)))) continue;
    throw new Refusal(
      `The option ${limit} of the field ${name} must be ${type === 'string' ? 'a length' : `a value of type ${type}`}, not ${JSON.stringify(text)}.`,
    );
  }
  if (type === 'string' && max !== undefined && Number(max) < 1) {
    throw new Refusal(`The option max of the field ${name} must be at least 1.`);
  }
  if (min !== undefined && max !== undefined && Number(min) > Number(max)) {
    throw new Refusal(`The option min of the field ${name} is greater than its max.`);
  }
  if (pattern !== undefined && !isPattern(pattern)) {
    throw new Refusal(
      `The pattern of the field ${name} is not a regular expression of JavaScript with the flag u: ${JSON.stringify(pattern)}.`,
    );
  }
  for (const option of ['default', 'example'] as const) {
    const text = options[option];
    const isWhole = isArray && option === 'default';
    if (text !== undefined && !(isWhole ? isValidArray(rules, text) : isValid(rules, text))) {
      throw new Refusal(`The ${option} of the field ${name} breaks its rules: ${JSON.stringify(text)}.`);
    }
  }
}

/**
 * Refuses numbers of items that contradict each other.
 *
 * @throws Refusal
 */
export function refuseWrongCounts(
  name: string,
  { minItems, maxItems }: Pick<FieldOptions, 'minItems' | 'maxItems'>,
): void {
  for (const [limit, text] of Object.entries({ 'min-items': minItems, 'max-items': maxItems })) {
    if (text !== undefined && !LENGTH.test(text)) {
      throw new Refusal(
        `The option ${limit} of the field ${name} must be a number of items, not ${JSON.stringify(text)}.`,
      );
    }
  }
  if (Number(maxItems ?? 1) < 1) {
    throw new Refusal(`The option max-items of the field ${name} must be at least 1.`);
  }
  if (Number(minItems ?? 0) > Number(maxItems ?? Infinity)) {
    throw new Refusal(`The option min-items of the field ${name} is greater than its max-items.`);
  }
}

/** The options of a field with each value in the form that is stored and returned: `12.50` for `12.5`. */
export function withWholeDecimals(options: FieldOptions, { scale }: DecimalDigits): FieldOptions {
  const one = (text: string) => Number(text).toFixed(scale);
  const whole = (text: string | undefined) => {
    const items = text === undefined ? undefined : itemTexts(text);
    return items ? JSON.stringify(items.map(one)) : text && one(text);
  };
  const { min, max, default: fallback, example } = options;
  return { ...options, min: whole(min), max: whole(max), default: whole(fallback), example: whole(example) };
}

/**
 * Valid values of a field, as texts, all different; fewer than asked for if there are no more.
 *
 * @throws Refusal when no value is known that matches its pattern
 */
export function sampleValues(rules: ValueRules, count: number): string[] {
  const { name, options } = rules;
  const candidates = [...(options.example === undefined ? [] : [options.example]), ...made(rules, count)];
  const values = [...new Set(candidates)].filter((text) => isValid(rules, text)).slice(0, count);
  if (values.length > 0) return values;
  throw new Refusal(
    `No example can be derived from the rules of the field ${name}: add one, as in example=….`,
  );
}

/**
 * The items of an array in JSON as texts; undefined if the text is not an array of single values.
 *
 * @param text `["red","green"]`
 */
export function itemTexts(text: string): string[] | undefined {
  try {
    const items: unknown = parseWithSource(text, (_name, value, { source }) =>
      typeof value === 'number' || typeof value === 'boolean' ? source : value,
    );
    const isFlat = Array.isArray(items) && items.every((item) => typeof item === 'string');
    return isFlat ? items : undefined;
  } catch {
    return undefined;
  }
}

/** `JSON.parse` with the text of each number, which TypeScript's library does not declare yet. */
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** Tells whether a text is a value of an array, in JSON. */
function isValidArray(rules: ValueRules, text: string): boolean {
  const { minItems = 0, maxItems = Infinity } = rules.options;
  const items = itemTexts(text);
  const isCounted = items && items.length >= Number(minItems) && items.length <= Number(maxItems);
  return isCounted === true && items.every((item) => isValid(rules, item));
}

/** Tells whether a text is a value of a field, or of an item of an array. */
function isValid(rules: ValueRules, text: string): boolean {
  const { type, options, enum: own } = rules;
  if (own) return own.members.some(({ value }) => value === text);
  if (!isOfType(rules, text)) return false;
  const { min, max, pattern } = options;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return false;
  const size = type === 'string' ? Array.from(text).length : Number(text);
  const isLimited = type === 'string' || JSON_NUMBER.test(text);
  return !isLimited || (size >= Number(min ?? -Infinity) && size <= Number(max ?? Infinity));
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}

function isOfType({ type, digits }: ValueRules, text: string): boolean {
  const { isValue }: FieldCode = FIELD_TYPES[type];
  return isValue?.(text, digits) ?? true;
}

function made({ type, options, enum: own, digits }: ValueRules, count: number): string[] {
  if (own) return own.members.map(({ value }) => value);
  const numbers = Array.from({ length: count }, (_, index) => index);
  return FIELD_TYPES[type].samples(numbers, options, digits);
}
