import type { ApiPropertyOptions } from '@nestjs/swagger';

/** What a rule of class-validator says of a value, as OpenAPI 3.0 has it. */
type RuleSchema = (...constraints: never[]) => ApiPropertyOptions;

const STRING = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;
const ARRAY = { type: 'array', items: {} } as const;

/**
 * The rules that OpenAPI has words for, by the names class-validator gives them. The others are left out of the document:
 * saying nothing is better than saying what does not hold.
 */
export const RULE_SCHEMAS: Readonly<Record<string, RuleSchema>> = {
  isString: () => STRING,
  minLength: (minLength: number) => ({ ...STRING, minLength }),
  maxLength: (maxLength: number) => ({ ...STRING, maxLength }),
  isLength: (minLength: number, maxLength?: number) => ({ ...STRING, minLength, maxLength }),
  matches: (pattern: RegExp) => ({ ...STRING, ...(isPlain(pattern) && { pattern: pattern.source }) }),
  isEmail: () => format('email'),
  isUuid: () => format('uuid'),
  isUrl: () => format('uri'),
  isFqdn: () => format('hostname'),
  isIp: (version?: number | string) => (version ? format(`ipv${version}`) : STRING),
  isDateString: () => format('date-time'),
  isIso8601: () => format('date-time'),
  isRFC3339: () => format('date-time'),
  isNumberString: () => STRING,
  isBooleanString: () => ({ ...STRING, enum: ['true', 'false', '1', '0'] }),
  isNumber: () => NUMBER,
  isInt: () => ({ type: 'integer' }),
  min: (minimum: number) => ({ ...NUMBER, minimum }),
  max: (maximum: number) => ({ ...NUMBER, maximum }),
  isPositive: () => ({ ...NUMBER, minimum: 0, exclusiveMinimum: true }),
  isNegative: () => ({ ...NUMBER, maximum: 0, exclusiveMaximum: true }),
  isDivisibleBy: (multipleOf: number) => ({ ...NUMBER, multipleOf }),
  isBoolean: () => ({ type: 'boolean' }),
  isIn: (values: readonly unknown[]) => oneOf(values),
  isEnum: (_members: object, values: readonly unknown[]) => oneOf(values),
  equals: (value: unknown) => oneOf([value]),
  isArray: () => ARRAY,
  arrayMinSize: (minItems: number) => ({ ...ARRAY, minItems }),
  arrayMaxSize: (maxItems: number) => ({ ...ARRAY, maxItems }),
  arrayNotEmpty: () => ({ ...ARRAY, minItems: 1 }),
  arrayUnique: (identifier?: unknown) => ({ ...ARRAY, ...(!identifier && { uniqueItems: true }) }),
};

function format(name: string): ApiPropertyOptions {
  return { ...STRING, format: name };
}

/** Patterns of JSON Schema have no flags; these three change nothing that a text alone could tell. */
function isPlain(pattern: unknown): pattern is RegExp {
  return pattern instanceof RegExp && /^[dgu]*$/.test(pattern.flags);
}

/** An enum of values of one type, which OpenAPI's enums have. */
function oneOf(values: readonly unknown[]): ApiPropertyOptions {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  if (type === undefined || others.length > 0 || !['string', 'number', 'boolean'].includes(type)) return {};
  return { type, enum: values } as ApiPropertyOptions;
}
