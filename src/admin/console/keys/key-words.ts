import type { KeyStatus } from '../../../auth/dto/key-view';
import type { KeyWarning } from '../../../auth/dto/key-warning';
import { inDays } from '../../../platform/values/calendar';
import type { Tone } from '../ui/text';

/** The colour of a status. */
export const STATUS_TONES: Readonly<Record<KeyStatus, Tone>> = {
  active: 'success',
  disabled: 'warning',
  expired: 'neutral',
  revoked: 'danger',
};

/** What a warning says in few words. */
export function warningText({ kind, days }: KeyWarning): string {
  if (kind === 'never_used') return 'never used';
  if (kind === 'idle') return `idle for ${days} days`;
  return `expires ${inDays(days)}`;
}

/** How long a key may still work after a rotation, in milliseconds. */
export const OVERLAPS = [
  { value: '0', label: 'Not at all' },
  { value: '3600000', label: '1 hour' },
  { value: '86400000', label: '1 day' },
  { value: '604800000', label: '7 days' },
  { value: '2592000000', label: '30 days' },
] as const;

/** What is chosen when the form names none. */
export const DEFAULT_OVERLAP = '86400000';
