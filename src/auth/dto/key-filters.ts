import { conditionsOf } from '../../platform/database/statements/where';
import { type AdminFilter, labelled } from '../../platform/validation/admin-filter';
import type { KeyFilter } from './key-search';
import { EXPIRING_DAYS, IDLE_DAYS, UNUSED_DAYS } from './key-warning';

/** The filters of API keys, for the console and the commands. */
export const KEY_FILTERS: readonly AdminFilter[] = [
  {
    name: 'q',
    field: 'text',
    label: 'Search',
    values: { type: 'search' },
    placeholder: 'Name, owner, id or scope',
    option: '--search <text>',
    help: 'only keys with this in their name, owner, id, hint or one of their scopes, in any letter case',
  },
  {
    name: 'status',
    field: 'status',
    label: 'Status',
    values: labelled({
      current: 'Current',
      active: 'Active',
      disabled: 'Disabled',
      expired: 'Expired',
      revoked: 'Revoked',
      all: 'All',
    }),
    fallback: 'current',
    option: '--status <status>',
    help: 'only keys with this status; current means active or disabled',
  },
  {
    name: 'attention',
    field: 'warning',
    operator: 'in',
    label: 'Attention',
    values: {
      choices: [
        {
          value: 'expiring',
          label: 'Expire soon',
          option: '--expiring',
          help: `only active ones that expire within ${EXPIRING_DAYS} days`,
        },
        {
          value: 'disabling',
          label: 'Disabled soon',
          option: '--disabling',
          help: 'only active ones that are disabled soon, because they are not used',
        },
        {
          value: 'never_used',
          label: 'Never used',
          option: '--never-used',
          help: `only active ones that were never used, ${UNUSED_DAYS} days after they were created`,
        },
        {
          value: 'idle',
          label: `Idle for ${IDLE_DAYS} days`,
          option: '--idle',
          help: `only active ones that were not used for ${IDLE_DAYS} days`,
        },
      ],
    },
  },
];

/** Returns the conditions on keys for the values of filters, by their names. */
export function keyFilter(values: Readonly<Record<string, unknown>>): KeyFilter {
  return conditionsOf(KEY_FILTERS, values);
}
