import { currentContext, inContext } from '../tracing/request-context';
import { NoOwnerError } from './security-errors';
import type { Principal } from './principal';

/** Tells whose rows a caller's are; undefined for a caller to whom no row can belong. */
export type OwnerOf = (caller: Principal) => string | undefined;

/** The client itself: the first key of its chain of rotations. */
export const CLIENT: OwnerOf = ({ lineageId }) => lineageId;

/** Does work for an owner: it sees, changes and adds rows of this owner alone. */
export function asOwner<T>(owner: string, work: () => T): T {
  return inContext({ ...currentContext(), ownership: { owner } }, work);
}

/** Does work that sees and changes the rows of all owners, such as an operator's. */
export function forAllOwners<T>(work: () => T): T {
  return inContext({ ...currentContext(), ownership: { owner: null } }, work);
}

/** Does work that is for no owner although a request may have led to it, such as that of an event. */
export function forNoOwner<T>(work: () => T): T {
  return inContext({ ...currentContext(), ownership: { owner: undefined } }, work);
}

/**
 * Returns the owner whose rows the work in progress is about; null for all owners.
 *
 * @param ownerOf tells whose rows the caller of the request sees
 * @param rows their table, for the error
 * @throws NoOwnerError when nothing can belong to the caller
 * @throws Error when there is no caller, and the work does not say whose rows it is about
 */
export function currentOwner(ownerOf: OwnerOf, rows: string): string | null {
  const { ownership, request } = currentContext() ?? {};
  const caller = request?.exchange?.principal as Principal | undefined;
  const owner = ownership ? ownership.owner : caller && (ownerOf(caller) ?? refuse());
  if (owner !== undefined) return owner;
  throw new Error(
    `The rows of ${rows} have owners, and this work has no caller: say whose rows it is about, by asOwner() or forAllOwners().`,
  );
}

function refuse(): never {
  throw new NoOwnerError();
}
