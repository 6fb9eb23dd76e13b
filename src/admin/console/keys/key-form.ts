import { UnfitApiKeyError } from '../../../auth/api-keys.errors';
import type { KeyView } from '../../../auth/dto/key-view';
import { DAY_MS } from '../../../platform/values/calendar';
import { endOfDay } from '../days';

/** What was typed into the fields that say what a key is for, what it may do and until when. */
export interface KeyForm {
  readonly name: string;
  readonly owner: string;
  readonly scopes: readonly string[];
  /** One of {@link LIFETIMES}, or {@link KEEP}. */
  readonly expiresIn: string;
  readonly expiresOn: string;
}

/** The choice that leaves the end of a key as it is. */
export const KEEP = 'keep';

/** When a key may expire, in days from now; an empty value leaves it to the day that is given. */
export const LIFETIMES = [
  { value: '', label: 'On the day below, or never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;

/** Takes what was typed into the fields about a key. */
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

/** A key as its form shows it. */
export function keyFormOf({ name, owner, scopes }: KeyView): KeyForm {
  return { name, owner: owner ?? '', scopes, expiresIn: KEEP, expiresOn: '' };
}

/**
 * The end that a form asks for.
 *
 * @returns null for none, undefined where the key keeps its end
 * @throws UnfitApiKeyError for what is no day
 */
export function endIn({ expiresIn, expiresOn }: KeyForm): Date | null | undefined {
  if (expiresIn === KEEP) return undefined;
  if (expiresIn !== '') return new Date(Date.now() + Number(expiresIn) * DAY_MS);
  if (expiresOn === '') return null;
  const end = endOfDay(expiresOn);
  if (!end) throw new UnfitApiKeyError('expiresAt', 'Write the day as 2027-01-31.');
  return end;
}
