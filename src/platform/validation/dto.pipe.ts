import {
  type ArgumentMetadata,
  HttpException,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, validateSync, type ValidatorOptions } from 'class-validator';
import type { AppError } from '../errors/app-error';
import {
  InvalidBodyError,
  InvalidFieldError,
  InvalidParameterError,
  NotFoundError,
} from '../errors/http-errors';
import { currentTimeline } from '../tracing/request-context';
import { type DtoMember, dtoMembers, hasAsyncRules, isDto } from './dto-members';
import { faultSentence } from './fault-sentence';
import { noteBody } from './undeclared.pipe';

const OPTIONS: ValidatorOptions = { stopAtFirstError: true, forbidUnknownValues: false };

/**
 * Builds the DTO of a body or a query, as Nest's ValidationPipe does with `whitelist` and `transform`: members the DTO does not
 * declare are left out, the rest is transformed by class-transformer and validated by class-validator.
 *
 * The JSON reader returns integers as `bigint`. The fields of `fields.ts` read these; any other member gets a `number` if that
 * is exact. A value with a Standard Schema, whose library may round, is refused if it is not.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  private readonly members = new Map<Type, readonly DtoMember[]>();

  /**
   * Builds the DTO, and times it in the timeline.
   *
   * @throws InvalidBodyError, InvalidFieldError or InvalidParameterError, naming the member at fault
   */
  transform(value: unknown, argument: ArgumentMetadata): unknown {
    const timeline = currentTimeline();
    // Up to here a guard or an interceptor ran, not the handler.
    timeline?.enter('pipes', 'guards');
    const made = this.make(value, argument);
    // Nest gives no sign before it calls a handler.
    timeline?.enter('handler');
    return made;
  }

  private make(value: unknown, { type, metatype, data, schema }: ArgumentMetadata): unknown {
    // Validated by one of Nest's pipes (see `SchemaPipe`), which comes later.
    if (schema) return type === 'custom' ? value : plainInput(value, type, data ?? '');
    if (metatype === String && typeof value === 'string' && value.includes('\0')) throw nulFault(type, data);
    if ((type !== 'body' && type !== 'query') || Buffer.isBuffer(value)) return value;
    if (!isDto(metatype)) return type === 'body' ? this.read(value) : value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      if (data !== undefined) return value;
      throw new InvalidBodyError();
    }
    const given = this.read(value, metatype) as Record<string, unknown>;
    const { dto, failure } = this.transformed(given, metatype);
    if (type === 'body') noteBody(dto, metatype, value);
    const judge = ([fault]: ReturnType<typeof validateSync>): object => {
      // A failed transformation is the client's fault if a rule says so, and otherwise its author's.
      if (!fault && failure) throw failure;
      const nul = fault ? undefined : this.nulIn(dto, metatype, '');
      if (!fault && nul === undefined) return dto;
      const message = fault ? faultSentence(fault, given) : `${nul} must not contain U+0000.`;
      throw type === 'body' ? new InvalidFieldError({ message }) : new InvalidParameterError({ message });
    };
    return hasAsyncRules(metatype) ? validate(dto, OPTIONS).then(judge) : judge(validateSync(dto, OPTIONS));
  }

  /** Returns the DTO; with untransformed values if a transformation failed on them. */
  private transformed(given: object, dto: Type): { readonly dto: object; readonly failure?: Error } {
    try {
      return { dto: plainToInstance(dto, given) as object };
    } catch (cause) {
      if (cause instanceof HttpException) throw cause;
      const failure = new Error(`A transformation of ${dto.name} failed.`, { cause });
      return { dto: this.untransformed(given, dto) as object, failure };
    }
  }

  private untransformed(value: unknown, dto: Type | undefined): unknown {
    if (!dto || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.untransformed(item, dto));
    const members = this.membersOf(dto).filter(({ name }) => Object.hasOwn(value, name));
    const values = members.map(({ name, type }) => [
      name,
      this.untransformed((value as Record<string, unknown>)[name], type),
    ]);
    return Object.assign(Object.create(dto.prototype as object) as object, Object.fromEntries(values));
  }

  /**
   * Copies a value: of a DTO's members those it declares, of other objects all but `constructor`.
   *
   * @param isExact true for a field that takes `bigint`, alone or in a list; otherwise one becomes a number if that is exact
   */
  private read(value: unknown, dto?: Type, isExact = false): unknown {
    if (typeof value === 'bigint') {
      const plain = Number(value);
      return isExact || !Number.isSafeInteger(plain) ? value : plain;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.read(item, dto, isExact));
    const members = dto ? this.membersOf(dto) : [];
    if (members.length > 0) return this.readDeclared(value as Record<string, unknown>, members);
    // class-transformer takes a member of this name for the class of its object, and fails.
    const others = Object.entries(value).filter(([name]) => name !== 'constructor');
    return Object.fromEntries(others.map(([name, member]) => [name, this.read(member)]));
  }

  private readDeclared(value: Record<string, unknown>, members: readonly DtoMember[]): object {
    const picked: Record<string, unknown> = {};
    for (const { name, type, isExact } of members) {
      const isGiven = Object.hasOwn(value, name);
      // Missing members of exact fields too: a transformation supplies their default.
      if (!isExact && !isGiven) continue;
      picked[name] = isGiven ? this.read(value[name], isExact ? undefined : type, isExact) : undefined;
    }
    return picked;
  }

  /**
   * Returns the path of a text with U+0000, if any: PostgreSQL cannot store it. The fields of `fields.ts` refuse it themselves.
   */
  private nulIn(value: unknown, dto: Type | undefined, path: string): string | undefined {
    if (typeof value === 'string') return value.includes('\0') ? path : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const found = this.nulIn(value[index], dto, `${path}[${index}]`);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    const members = dto ? this.membersOf(dto) : [];
    for (const name of Object.keys(value)) {
      const known = members.find((member) => member.name === name);
      if (known?.isExact) continue;
      const member = (value as Record<string, unknown>)[name];
      const found = this.nulIn(member, known?.type, path ? `${path}.${name}` : name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private membersOf(dto: Type): readonly DtoMember[] {
    let members = this.members.get(dto);
    if (!members) this.members.set(dto, (members = dtoMembers(dto)));
    return members;
  }
}

/**
 * Copies a value for a Standard Schema, with numbers in place of `bigint`.
 *
 * @throws InvalidFieldError, InvalidParameterError or NotFoundError, naming the member at fault by its path
 */
function plainInput(value: unknown, type: ArgumentMetadata['type'], path: string): unknown {
  if (typeof value === 'bigint') return plainNumber(value, path);
  if (typeof value === 'string' && value.includes('\0')) throw nulFault(type, path || undefined);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return value.map((item, index) => plainInput(item, type, `${path}[${index}]`));
  const plain: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    // Nest's pipe leaves this member out as well.
    if (name === '__proto__') continue;
    plain[name] = plainInput(member, type, path ? `${path}.${name}` : name);
  }
  return plain;
}

function plainNumber(value: bigint, path: string): number {
  const plain = Number(value);
  if (Number.isSafeInteger(plain)) return plain;
  throw new InvalidFieldError({
    message: `${path || 'The body'} must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}.`,
  });
}

function nulFault(type: ArgumentMetadata['type'], name = 'The parameter'): AppError {
  const message = `${name} must not contain U+0000.`;
  if (type === 'body') return new InvalidFieldError({ message });
  return type === 'query' ? new InvalidParameterError({ message }) : new NotFoundError();
}
