import { UnfitApiKeyError } from '../../../auth/api-keys.errors';
import type { KeyView } from '../../../auth/dto/key-view';
import { DAY_MS } from '../../../platform/values/calendar';
import { endOfDay } from '../http/days';

/** Texts typed into the fields for the name, owner, scopes and expiry of a key. */
export interface KeyForm {
  readonly name: string;
  readonly owner: string;
  readonly scopes: readonly string[];
  /** One of the values of {@link LIFETIMES}, or {@link KEEP}. */
  readonly expiresIn: string;
  readonly expiresOn: string;
}

/** The choice that keeps the expiry of a key. */
export const KEEP = 'keep';

/** Choices for the expiry, in days from now. The empty one leaves it to the field with a day. */
export const LIFETIMES = [
  { value: '', label: 'On the day below, or never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;

/** Reads the fields about a key. */
export function readKeyForm(form: URLSearchParams): KeyForm {
  const expiresIn = form.get('expiresIn');
  const isKept = expiresIn === KEEP;
  return {
    name: form.get('name')?.trim() ?? '',
    owner: form.get('owner')?.trim() ?? '',
    scopes: form.getAll('scopes'),
    expiresIn: isKept ? KEEP : (LIFETIMES.find(({ value }) => value === expiresIn)?.value ?? ''),
    expiresOn: form.get('expiresAt') ?? '',
  };
}

/** Fills the form from a key. */
export function keyFormOf({ name, owner, scopes }: KeyView): KeyForm {
  return { name, owner: owner ?? '', scopes, expiresIn: KEEP, expiresOn: '' };
}

/**
 * The expiry that a form asks for.
 *
 * @returns null for a key that never expires, undefined if the key keeps its expiry
 * @throws UnfitApiKeyError if the text is not a day
 */
export function endIn({ expiresIn, expiresOn }: KeyForm): Date | null | undefined {
  if (expiresIn === KEEP) return undefined;
  if (expiresIn !== '') return new Date(Date.now() + Number(expiresIn) * DAY_MS);
  if (expiresOn === '') return null;
  const end = endOfDay(expiresOn);
  if (!end) throw new UnfitApiKeyError('expiresAt', 'Write the day as 2027-01-31.');
  return end;
}
