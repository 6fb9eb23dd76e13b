import type { KeyStatus } from '../../../auth/dto/key-view';
import type { KeyWarning } from '../../../auth/dto/key-warning';
import { inDays } from '../../../platform/values/calendar';
import type { Operation } from '../../../platform/http/operations/operation';
import { consolePageOf } from '../../../platform/features/console-controller.decorator';
import { actionsIn, type AdminRecords, changeScope } from '../../../platform/features/admin-records';
import type { Tone } from '../ui/text';

/** The colour of each status. */
export const STATUS_TONES: Readonly<Record<KeyStatus, Tone>> = {
  active: 'success',
  disabled: 'warning',
  expired: 'neutral',
  revoked: 'danger',
};

/** Describes a warning in few words. */
export function warningText({ kind, days }: KeyWarning): string {
  if (kind === 'never_used') return 'never used';
  if (kind === 'idle') return `idle for ${days} days`;
  return `${kind === 'disabling' ? 'disabled' : 'expires'} ${inDays(Math.max(0, days))}`;
}

/** Descriptions of the scopes for operators, except those that change the records of a feature. */
const ADMIN_SCOPES: Readonly<Record<string, string>> = {
  'admin:read': 'Sign in to this console and see everything',
  'admin:keys': 'Create, change, rotate, disable and revoke API keys',
  'admin:erasures': 'See and erase all data about a person',
  'admin:jobs': 'Run and pause jobs, and retry or discard failed events',
  'admin:service': 'Make the service read-only, and accept changes again',
};

/** Scopes to choose from, those of API clients first, each with a description of what it allows. */
export function scopeChoices(
  scopes: readonly string[],
  operations: readonly Operation[],
  recordTypes: readonly AdminRecords[],
) {
  const isForOperators = (scope: string) => scope.startsWith('admin:');
  const ordered = [...scopes.filter((scope) => !isForOperators(scope)), ...scopes.filter(isForOperators)];
  return ordered.map((scope) => {
    const called = operations.filter((operation) => operation.scopes.includes(scope)).map(({ id }) => id);
    const help = isForOperators(scope)
      ? (ADMIN_SCOPES[scope] ?? `${changesWith(scope, operations, recordTypes)} in this console`)
      : `Call ${called.join(', ')}`;
    return { value: scope, label: scope, help };
  });
}

/**
 * Describes what a scope lets operators change: records of one type, or only what some actions and pages of modules do with
 * them.
 */
function changesWith(
  scope: string,
  operations: readonly Operation[],
  recordTypes: readonly AdminRecords[],
): string {
  if (recordTypes.some((recordType) => changeScope(recordType) === scope))
    return `Change ${scope.slice('admin:'.length)}`;
  const actions = recordTypes.flatMap((recordType) =>
    actionsIn(recordType)
      .filter(([, action]) => action.scope === scope)
      .map(([, { title }]) => `${title} ${recordType.name}`),
  );
  const pages = operations
    .filter(({ consoleScopes }) => consoleScopes.includes(scope))
    .map(({ controller, path }) => consolePageOf(controller)?.entry?.title ?? path);
  return [...new Set([...actions, ...pages])].join(', ');
}

/** Times for which a key may still work after a rotation, in milliseconds. */
export const OVERLAPS = [
  { value: '0', label: 'Not at all' },
  { value: '3600000', label: '1 hour' },
  { value: '86400000', label: '1 day' },
  { value: '604800000', label: '7 days' },
  { value: '2592000000', label: '30 days' },
] as const;

/** The choice that is selected at first. */
export const DEFAULT_OVERLAP = '86400000';
