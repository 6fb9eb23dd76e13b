import type { Type } from '@nestjs/common';
// The only way to what @Type() has noted; @nestjs/swagger looks there, too. The DTOs of the ordinary module in `test` guard it.
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage } from 'class-validator';

/** Where @nestjs/swagger notes the names of documented members, each after a colon. */
const DOCUMENTED_METADATA = 'swagger/apiModelPropertiesArray';

/** Where @nestjs/swagger notes what `@ApiProperty()` states of a member. */
const STATED_METADATA = 'swagger/apiModelProperties';

/** A rule of a member; class-validator does not export the type. */
type ValidationMetadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** The name of the rule by which the decorators of `fields.ts` validate. */
export const FIELD_RULE = 'field';

/** Types that TypeScript notes for what is no class of a module's own. */
const BUILT_IN: readonly unknown[] = [String, Number, Boolean, Object, Array, BigInt, Date, Map, Set, Buffer];

/** Whether a class has rules that are promises, as far as it was asked. */
const withAsyncRules = new Map<Type, boolean>();

/** Whether the type of a parameter or a member is a class whose members can be known. */
export function isDto(type: unknown): type is Type {
  return typeof type === 'function' && !BUILT_IN.includes(type);
}

/** A member of a DTO class. */
export interface DtoMember {
  readonly name: string;
  /** Its class when it is a DTO itself, or an array of them: that of `@Type()`. */
  readonly type: Type | undefined;
  /** Whether it takes integers as the JSON reader gives them: its decorator tells them apart by their digits. */
  readonly isExact: boolean;
  readonly isList: boolean;
  /** What class-validator holds it to. */
  readonly rules: readonly ValidationMetadata[];
}

/** Every class that class-validator has rules for. */
export function ruledClasses(): Type[] {
  // Private in the types; the document of the ordinary module in `test` guards it.
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    validationMetadatas: Map<Type, unknown>;
  };
  return [...validationMetadatas.keys()];
}

/** What `@ApiProperty()` states of a member. */
export function documentedAs(dto: Type, name: string): object {
  return (Reflect.getMetadata(STATED_METADATA, dto.prototype as object, name) ?? {}) as object;
}

/** States what `@ApiProperty()` does of a member that a parent class has documented, in place of what is stated there. */
export function document(dto: Function, name: string, options: object): void {
  Reflect.defineMetadata(STATED_METADATA, options, dto.prototype as object, name);
}

/** The members a DTO class declares to class-validator or to @nestjs/swagger, its parents' included. */
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

/** Names of the members a DTO class declares. */
export function fieldNames(dto: Type): string[] {
  return dtoMembers(dto).map(({ name }) => name);
}

function typeOf(dto: Type, name: string): Type | undefined {
  const noted: unknown = defaultMetadataStorage.findTypeMetadata(dto, name)?.typeFunction();
  return isDto(noted) ? noted : undefined;
}

/** Whether a rule of a DTO class, or of one inside it, is a promise: `validateSync` would let everything pass there. */
export function hasAsyncRules(dto: Type): boolean {
  let has = withAsyncRules.get(dto);
  if (has === undefined) {
    // Of a class that contains itself, the rules are those that are found on the way.
    withAsyncRules.set(dto, false);
    withAsyncRules.set(dto, (has = findAsyncRule(dto)));
  }
  return has;
}

function findAsyncRule(dto: Type): boolean {
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(dto, '', true, false);
  const isAsync = rules.some(({ constraintCls }) =>
    storage.getTargetValidatorConstraints(constraintCls).some(({ async }) => async),
  );
  return isAsync || dtoMembers(dto).some(({ type }) => type !== undefined && hasAsyncRules(type));
}
