import type { Type } from '@nestjs/common';
// The only access to the types of @Type(); @nestjs/swagger uses it, too. The DTOs of the ordinary module in `test` guard it.
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage } from 'class-validator';

/** Metadata key under which @nestjs/swagger keeps the names of documented members, each after a colon. */
const DOCUMENTED_METADATA = 'swagger/apiModelPropertiesArray';

/** Metadata key under which @nestjs/swagger keeps the options of a member's `@ApiProperty()`. */
const STATED_METADATA = 'swagger/apiModelProperties';

/** A rule of a member; class-validator does not export the type. */
type ValidationMetadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** Name of the rule by which the decorators of `fields.ts` validate. */
export const FIELD_RULE = 'field';

/** Types that TypeScript records for members whose type is not a module's own class. */
const BUILT_IN: readonly unknown[] = [String, Number, Boolean, Object, Array, BigInt, Date, Map, Set, Buffer];

/** Classes asked about so far, with true for those that have asynchronous rules. */
const withAsyncRules = new Map<Type, boolean>();

/** Tells whether the type of a parameter or a member is a class whose members can be known. */
export function isDto(type: unknown): type is Type {
  return typeof type === 'function' && !BUILT_IN.includes(type);
}

/** A member of a DTO class. */
export interface DtoMember {
  readonly name: string;
  /** Class of the member, or of its items, if that is a DTO: the one in `@Type()`. */
  readonly type: Type | undefined;
  /** True if the member takes integers as the JSON reader returns them: its decorator recognises them by their digits. */
  readonly isExact: boolean;
  readonly isList: boolean;
  /** Rules that class-validator has for the member. */
  readonly rules: readonly ValidationMetadata[];
}

/** Returns every class that class-validator has rules for. */
export function ruledClasses(): Type[] {
  // Private in the types; the document of the ordinary module in `test` guards this access.
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    validationMetadatas: Map<Type, unknown>;
  };
  return [...validationMetadatas.keys()];
}

/** Returns the options of a member's `@ApiProperty()`. */
export function documentedAs(dto: Type, name: string): object {
  return (Reflect.getMetadata(STATED_METADATA, dto.prototype as object, name) ?? {}) as object;
}

/** Documents a member that a parent class has documented, as `@ApiProperty()` does, in place of the parent's options. */
export function document(dto: Function, name: string, options: object): void {
  Reflect.defineMetadata(STATED_METADATA, options, dto.prototype as object, name);
}

/** Returns the members that a DTO class declares to class-validator or to @nestjs/swagger, its parents' included. */
export function dtoMembers(dto: Type): readonly DtoMember[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const documented = (Reflect.getMetadata(DOCUMENTED_METADATA, dto.prototype as object) ?? []) as string[];
  const names = [
    ...rules.map(({ propertyName }) => propertyName),
    ...documented.map((name) => name.slice(1)),
  ];
  return [...new Set(names)].map((name) => {
    const own = rules.filter(({ propertyName }) => propertyName === name);
    return {
      name,
      type: typeOf(dto, name),
      isExact: own.some((rule) => rule.name === FIELD_RULE),
      isList:
        Reflect.getMetadata('design:type', dto.prototype as object, name) === Array ||
        own.some(({ each }) => each),
      rules: own,
    };
  });
}

/** Returns the names of the members a DTO class declares. */
export function fieldNames(dto: Type): string[] {
  return dtoMembers(dto).map(({ name }) => name);
}

function typeOf(dto: Type, name: string): Type | undefined {
  const noted: unknown = defaultMetadataStorage.findTypeMetadata(dto, name)?.typeFunction();
  return isDto(noted) ? noted : undefined;
}

/**
 * Tells whether a rule of a DTO class, or of one inside it, is asynchronous: `validateSync` would let every value pass there.
 */
export function hasAsyncRules(dto: Type): boolean {
  let has = withAsyncRules.get(dto);
  if (has === undefined) withAsyncRules.set(dto, (has = findAsyncRule(dto, new Set())));
  return has;
}

/** @param seen classes that have been looked at, for one may contain itself */
function findAsyncRule(dto: Type, seen: Set<Type>): boolean {
  if (seen.has(dto)) return false;
  seen.add(dto);
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(dto, '', true, false);
  const isAsync = rules.some(({ constraintCls }) =>
    storage.getTargetValidatorConstraints(constraintCls).some(({ async }) => async),
  );
  return isAsync || dtoMembers(dto).some(({ type }) => type !== undefined && findAsyncRule(type, seen));
}
