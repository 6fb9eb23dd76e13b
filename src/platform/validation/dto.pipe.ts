import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { InvalidBodyError, InvalidFieldError, InvalidParameterError } from '../errors/http-errors';
import { faultSentence } from './fault-sentence';
import { fieldNames } from './field-names';

/**
 * Makes the DTO of a body or a query: members the DTO does not declare are left behind, the rest is transformed by
 * class-transformer and judged by class-validator.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  private readonly names = new Map<Type, readonly string[]>();

  /** @throws InvalidBodyError, InvalidFieldError or InvalidParameterError, naming the member at fault */
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!metatype || (type !== 'body' && type !== 'query')) return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidBodyError();
    const given = this.pick(metatype, value as Record<string, unknown>);
    const dto = plainToInstance(metatype, given) as object;
    const [fault] = validateSync(dto, { stopAtFirstError: true, forbidUnknownValues: false });
    if (!fault) return dto;
    const message = faultSentence(fault, given);
    throw type === 'body' ? new InvalidFieldError({ message }) : new InvalidParameterError({ message });
  }

  private pick(metatype: Type, value: Record<string, unknown>): Record<string, unknown> {
    let names = this.names.get(metatype);
    if (!names) this.names.set(metatype, (names = fieldNames(metatype)));
    const picked: Record<string, unknown> = {};
    // Explicitly undefined members too: a transformation supplies the default of one that is missing.
    for (const name of names)
      picked[name] = Object.hasOwn(value, name) ? withoutConstructors(value[name]) : undefined;
    return picked;
  }
}

/** class-transformer takes a member named `constructor` for the class of the object that has it, and fails on it. */
function withoutConstructors(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutConstructors);
  const members = Object.entries(value).filter(([name]) => name !== 'constructor');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutConstructors(member)]));
}
