import type { Type } from '@nestjs/common';
import { OmitType, PartialType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { document, documentedAs, fieldNames } from './dto-members';

/** Options of a member in the document. */
interface Documented {
  readonly required?: boolean;
  readonly default?: unknown;
}

/**
 * Members of a JSON Merge Patch (RFC 7396) of a resource: one that is left out stays as it is; null removes one, if the
 * resource may lack it.
 */
export type MergePatch<Dto> = {
  [Name in keyof Dto]?: undefined extends Dto[Name] ? Dto[Name] | null : Dto[Name];
};

/**
 * Creates the DTO class of a {@link MergePatch} from that of the resource's creation. A member with a default there may not be
 * removed, and stays as it is when it is left out.
 */
export function MergePatchType<Dto extends object>(creation: Type<Dto>): Type<MergePatch<Dto>> {
  abstract class PatchType extends PartialType(creation as Type<object>, { skipNullProperties: false }) {}
  for (const name of fieldNames(creation)) {
    const { default: fallback, ...documented } = documentedAs(creation, name) as Documented;
    if (documented.required === undefined) continue;
    const isRemovable = !documented.required && fallback === undefined;
    document(PatchType, name, { ...documented, required: false, ...(isRemovable && { nullable: true }) });
    if (!isRemovable) continue;
    ValidateIf((patch: Record<string, unknown>) => patch[name] !== null)(PatchType.prototype, name);
  }
  return PatchType as unknown as Type<MergePatch<Dto>>;
}

/**
 * Creates the DTO class of a resource from that of its creation, which may lack the named members: the resource always has
 * them.
 */
export function RequiredType<Dto extends object, Name extends keyof Dto & string>(
  creation: Type<Dto>,
  names: readonly Name[],
): Type<Omit<Dto, Name> & Required<Pick<Dto, Name>>> {
  abstract class StoredType extends OmitType(creation as Type<object>, []) {}
  for (const name of names) {
    const { default: _default, ...documented } = documentedAs(creation, name) as Documented;
    document(StoredType, name, { ...documented, required: true });
  }
  return StoredType as unknown as Type<Omit<Dto, Name> & Required<Pick<Dto, Name>>>;
}

/** Returns the stored row as it is after a patch; a removed member is stored as null. */
export function applyMergePatch<Row extends object>(row: Row, patch: MergePatch<Partial<Row>>): Row {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(given) };
}
