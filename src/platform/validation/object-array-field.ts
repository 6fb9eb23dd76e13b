import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type as TypeOf } from 'class-transformer';
import { ValidateBy, ValidateNested } from 'class-validator';
import { documentedAs, fieldNames } from './dto-members';
import { type ArrayLimits, ifPresent, itemCountFault } from './field';

/** Options of an array of objects. */
export interface ObjectArrayOptions extends ArrayLimits {
  readonly description: string;
  /** Set if the array may be left out: the service then stores the empty array. */
  readonly default?: readonly [];
}

/** An array of objects, each validated by a DTO class of its own. A stored resource always has it, and it may be empty. */
export function ObjectArrayField(
  type: Type,
  { description, default: fallback, ...limits }: ObjectArrayOptions,
): PropertyDecorator {
  const faultOf = (value: unknown): string | undefined => {
    const fault = itemCountFault(value, limits);
    if (fault !== undefined) return ` ${fault}`;
    const index = (value as unknown[]).findIndex((item) => !isObject(item));
    return index < 0 ? undefined : `[${index}] must be an object`;
  };
  return applyDecorators(
    ApiProperty({
      type,
      isArray: true,
      ...limits,
      description,
      example: [exampleOf(type)],
      ...(fallback && { default: fallback }),
      required: !fallback,
    }),
    TypeOf(() => type),
    ValidateBy({
      name: 'objects',
      validator: {
        validate: (value) => faultOf(value) === undefined,
        defaultMessage: (context) => `${context?.property}${faultOf(context?.value)}.`,
      },
    }),
    ValidateNested({ each: true }),
    ...(fallback ? [ifPresent()] : []),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function exampleOf(type: Type): object {
  const examples = fieldNames(type).map((name) => {
    const { example } = documentedAs(type, name) as { readonly example?: unknown };
    return [name, example] as const;
  });
  return Object.fromEntries(examples);
}
