import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** Names of the members a DTO class declares, its parents' included. */
export function fieldNames(dto: Type): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  return [...new Set(rules.map((rule) => rule.propertyName))];
}
