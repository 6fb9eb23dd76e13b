import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { dtoMembers } from './dto-members';

const known = new Map<Type, boolean>();

/** Whether a rule of a DTO class, or of one inside it, is a promise: `validateSync` would let everything pass there. */
export function hasAsyncRules(dto: Type): boolean {
  let has = known.get(dto);
  if (has === undefined) {
    // Of a class that contains itself, the rules are those that are found on the way.
    known.set(dto, false);
    known.set(dto, (has = find(dto)));
  }
  return has;
}

function find(dto: Type): boolean {
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(dto, '', true, false);
  const isAsync = rules.some(({ constraintCls }) =>
    storage.getTargetValidatorConstraints(constraintCls).some(({ async }) => async),
  );
  return isAsync || dtoMembers(dto).some(({ type }) => type !== undefined && hasAsyncRules(type));
}
