import type { Type } from '@nestjs/common';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { optionalFields } from './fields';

/**
 * What a JSON Merge Patch (RFC 7396) of a resource may say: a member that is left out stays as it is, one that is null is
 * removed, which only those can be that the resource may lack.
 */
export type MergePatch<Dto> = {
  [Name in keyof Dto]?: undefined extends Dto[Name] ? Dto[Name] | null : Dto[Name];
};

/** The DTO class of a {@link MergePatch}, made from that of the resource's creation. */
export function MergePatchType<Dto extends object>(creation: Type<Dto>): Type<MergePatch<Dto>> {
  abstract class PatchType extends PartialType(creation as Type<object>, { skipNullProperties: false }) {}
  for (const [name, documented] of Object.entries(optionalFields(creation))) {
    ApiProperty({ ...documented, nullable: true })(PatchType.prototype, name);
    ValidateIf((patch: Record<string, unknown>) => patch[name] !== null)(PatchType.prototype, name);
  }
  return PatchType as unknown as Type<MergePatch<Dto>>;
}

/** The stored row as it is after a patch; a removed member is stored as null. */
export function applyMergePatch<Row extends object>(row: Row, patch: MergePatch<Partial<Row>>): Row {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(given) };
}
