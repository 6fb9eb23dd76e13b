import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidationTypes } from 'class-validator';
import { documentedAs, type DtoMember, dtoMembers, isDto, ruledClasses } from '../validation/dto-members';
import { RULE_SCHEMAS } from './rule-schemas';

/** An option set of `@ApiProperty()` with the members that matter here. */
type Options = { readonly [Name in keyof ApiPropertyOptions]: unknown } & {
  readonly [name: string]: unknown;
};

/**
 * Adds to the document what the rules of class-validator say of the members of DTOs, as the plugin of @nestjs/swagger does
 * where it compiles the sources. What `@ApiProperty()` states stays as it is.
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
  // A constructor such as Number, which TypeScript notes as well, says less than `@IsInt()`.
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

/** All that several schemas say; an integer is a number as well. */
function merged(schemas: readonly Options[]): Options {
  const all = Object.assign({}, ...schemas) as Options;
  return schemas.some(({ type }) => type === 'integer') ? { ...all, type: 'integer' } : all;
}
