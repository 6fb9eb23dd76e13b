import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { InvalidFieldError } from '../errors/http-errors';
import { dtoMembers } from './dto-members';

/** DTOs whose bodies may have no other members, somewhere. */
const watched = new Set<Type>();

/** Bodies as they came, by the DTOs that were made of them. */
const bodies = new WeakMap<object, unknown>();

/** Remembers bodies of a DTO for the {@link UndeclaredPipe}. */
export function watchUndeclared(dto: Type): void {
  watched.add(dto);
}

/** Remembers the body that a DTO was made of, where that is asked for. */
export function noteBody(made: object, dto: Type, body: unknown): void {
  if (watched.has(dto)) bodies.set(made, body);
}

/** Refuses members that a DTO does not declare, for the `forbidNonWhitelisted` of a team's ValidationPipe: those are left out by then. */
@Injectable()
export class UndeclaredPipe implements PipeTransform {
  /** @throws InvalidFieldError naming the first such member */
  transform(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const found = undeclaredIn(bodies.get(value), value.constructor as Type, '');
    if (found !== undefined) throw new InvalidFieldError({ message: `${found} is not a known member.` });
    return value;
  }
}

function undeclaredIn(value: unknown, dto: Type, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    return value.map((item, at) => undeclaredIn(item, dto, `${path}[${at}]`)).find(Boolean);
  }
  const members = new Map(dtoMembers(dto).map(({ name, type }) => [name, type]));
  for (const [name, member] of Object.entries(value)) {
    const at = path ? `${path}.${name}` : name;
    if (!members.has(name)) return at;
    const type = members.get(name);
    const found = type && undeclaredIn(member, type, at);
    if (found) return found;
  }
  return undefined;
}
