import { STATUS_CODES } from 'node:http';
import type { Html } from '../../../platform/html/html';
import { NO_KEY } from '../../requests/request-filters';
import type { Refusals } from '../../requests/requests.service';
import { type Part, proportions } from '../charts/bars';
import { exact } from '../ui/number-text';
import { requestsPath } from './requests-path';

type Member = Refusals['values'][number]['by'];

const TITLES: Readonly<Record<Member, string>> = { status: 'Status', code: 'Error code', keyId: 'Key' };

/** Names of the request log's filters. */
const FILTERS: Readonly<Record<Member, string>> = { status: 'status', code: 'code', keyId: 'key' };

/** Refused requests, as a page shows them. */
interface ShownRefusals {
  readonly count: number;
  /** A note about requests that were not looked at, if any. */
  readonly note: string;
  readonly groups: readonly { readonly title: string; readonly chart: Html }[];
}

/**
 * Draws how refused requests divide by their members; each value links to the requests that have it.
 *
 * @param filter the filter of the request log that finds all of them
 */
export function shownRefusals(
  refusals: Refusals,
  members: readonly Member[],
  filter: Readonly<Record<string, string>>,
): ShownRefusals {
  return {
    count: refusals.count,
    note: refusals.hasMore ? `of the newest ${exact(refusals.count)}; there are older ones` : '',
    groups: members.map((member) => ({
      title: TITLES[member],
      chart: proportions(partsOf(refusals, member, filter)),
    })),
  };
}

function partsOf(refusals: Refusals, member: Member, filter: Readonly<Record<string, string>>): Part[] {
  const found = refusals.values.filter(({ by }) => by === member);
  const parts = found.map(({ value, count }): Part => {
    const name = nameOf(member, value, refusals.keyNames);
    const wanted = value ?? (member === 'keyId' ? NO_KEY : undefined);
    if (wanted === undefined) return { name, value: count };
    const path = requestsPath({ ...filter, outcome: 'refused', [FILTERS[member]]: wanted });
    return { name, value: count, path };
  });
  const others = refusals.count - found.reduce((sum, { count }) => sum + count, 0);
  return others > 0 ? [...parts, { name: 'Others', value: others, tone: 'faint' }] : parts;
}

function nameOf(member: Member, value: string | null, keyNames: Refusals['keyNames']): string {
  if (value === null) return member === 'keyId' ? 'No accepted key' : 'None';
  if (member === 'status') return `${value} ${STATUS_CODES[value] ?? ''}`.trim();
  return member === 'keyId' ? (keyNames.get(value) ?? value) : value;
}
