import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidationTypes } from 'class-validator';
import { documentedAs, type DtoMember, dtoMembers, isDto, ruledClasses } from '../validation/dto-members';

/** Options of `@ApiProperty()` with the members that matter here. */
type Options = { readonly [Name in keyof ApiPropertyOptions]: unknown } & {
  readonly [name: string]: unknown;
};

/**
 * Adds to the document the rules that class-validator has for the members of DTOs, as the plugin of @nestjs/swagger does where
 * it compiles the sources. Statements of `@ApiProperty()` stay unchanged.
 */
export function documentRules(): void {
  for (const dto of ruledClasses()) {
    for (const member of dtoMembers(dto)) {
      // The decorators of `fields.ts` document what they validate.
      if (!member.isExact && member.rules.length > 0) documentMember(dto, member);
    }
  }
}

function documentMember(dto: Type, member: DtoMember): void {
  const prototype = dto.prototype as object;
  const { type: statedType, ...stated } = documentedAs(dto, member.name) as Options;
  if (['oneOf', 'anyOf', 'allOf', '$ref'].some((name) => name in stated)) return;
  const noted: unknown = Reflect.getMetadata('design:type', prototype, member.name) ?? statedType;
  const { type: ruledType, ...ruled } = schemaOf(member);
  // A constructor such as Number, which TypeScript records as well, says less than `@IsInt()`.
  const isStated = stated['isArray'] === true || isDto(statedType) || typeof statedType === 'string';
  const type = isStated ? statedType : (ruledType ?? noted);
  if (type === undefined) return;
  const isOptional = member.rules.some((rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION);
  const options = { ...(isOptional && { required: false }), ...ruled, ...stated, type };
  ApiProperty(options as ApiPropertyOptions)(prototype, member.name);
}

function schemaOf({ rules, type: nested, isList }: DtoMember): Options {
  const own = merged(rules.filter(({ each }) => !each).map(schemaOfRule));
  const isArray = isList || own['type'] === 'array';
  if (!isArray) return nested ? { ...own, type: nested } : own;
  if (nested) return { ...own, items: undefined, type: nested, isArray: true };
  return { ...own, type: 'array', items: merged(rules.filter(({ each }) => each).map(schemaOfRule)) };
}

function schemaOfRule({ name, constraints }: DtoMember['rules'][number]): Options {
  const known = name !== undefined && Object.hasOwn(RULE_SCHEMAS, name) ? RULE_SCHEMAS[name] : undefined;
  return (known?.(...((constraints as never[] | undefined) ?? [])) ?? {}) as Options;
}

/** Merges all statements of several schemas; an integer is a number as well. */
function merged(schemas: readonly Options[]): Options {
  const all = Object.assign({}, ...schemas) as Options;
  return schemas.some(({ type }) => type === 'integer') ? { ...all, type: 'integer' } : all;
}

/** Meaning of a class-validator rule for a value, in OpenAPI 3.0. */
type RuleSchema = (...constraints: never[]) => ApiPropertyOptions;

const STRING = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;
const ARRAY = { type: 'array', items: {} } as const;

/**
 * Rules that OpenAPI can express, by the names class-validator gives them. The others are left out of the document: saying
 * nothing is better than saying something false.
 */
const RULE_SCHEMAS: Readonly<Record<string, RuleSchema>> = {
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

/**
 * Tells whether a pattern can be documented: patterns of JSON Schema have no flags, and only these three can be left out
 * without changing its meaning there.
 */
function isPlain(pattern: unknown): pattern is RegExp {
  return pattern instanceof RegExp && /^[dgu]*$/.test(pattern.flags);
}

/** Documents an enum whose values have one type, as OpenAPI's enums do; returns nothing for others. */
function oneOf(values: readonly unknown[]): ApiPropertyOptions {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  if (type === undefined || others.length > 0 || !['string', 'number', 'boolean'].includes(type)) return {};
  return { type, enum: values } as ApiPropertyOptions;
}
