import type { ApiKeysService } from '../../../auth/api-keys.service';
import { KEY_ORDERS, type KeyFilter, type KeyWindow } from '../../../auth/dto/key-search';
import type { KeyView } from '../../../auth/dto/key-view';
import type { KeyWarningKind } from '../../../auth/dto/key-warning';
import { readSlice } from '../../../platform/database/page';
import { countText, MAX_COUNT } from '../ui/count-text';

/** What the list of keys shows, as its address says. */
export interface KeyListQuery {
  readonly text: string;
  readonly status: NonNullable<KeyFilter['status']> | 'all';
  readonly warning: KeyWarningKind | '';
  /** As the parameter `sort`. */
  readonly sort: string;
  /** The id of the key before the first. */
  readonly after: string;
}

/** A stretch of the list. */
export interface KeyListPage {
  readonly keys: readonly KeyView[];
  /** How many there are in all stretches, in words. */
  readonly countText: string;
  /** The value of `after` for the next stretch. */
  readonly next: string | undefined;
}

/** Keys on one page. */
export const PAGE_SIZE = 50;

const STATUSES = ['current', 'active', 'disabled', 'expired', 'revoked', 'all'] as const;
const WARNINGS = ['expiring', 'never_used', 'idle'] as const;

/** Reads the filters of an address; what it does not know counts as not given. */
export function readKeyListQuery(query: URLSearchParams): KeyListQuery {
  const sort = query.get('sort') ?? '';
  return {
    text: query.get('q')?.trim() ?? '',
    status: STATUSES.find((status) => status === query.get('status')) ?? 'current',
    warning: WARNINGS.find((warning) => warning === query.get('attention')) ?? '',
    sort: orderIn(sort) ? sort : 'name',
    after: query.get('after') ?? '',
  };
}

/** Reads the stretch that an address asks for. */
export async function readKeyListPage(
  keys: Pick<ApiKeysService, 'search' | 'count'>,
  { text, status, warning, sort, after }: KeyListQuery,
): Promise<KeyListPage> {
  const filter: KeyFilter = {
    text,
    status: status === 'all' ? undefined : status,
    warning: warning || undefined,
  };
  const order = { by: orderIn(sort) ?? 'name', descending: sort.startsWith('-') };
  const [{ items: shown, hasMore }, count] = await Promise.all([
    readSlice(PAGE_SIZE, (limit) => keys.search(filter, { ...order, after: after || undefined, limit })),
    keys.count(filter, MAX_COUNT + 1),
  ]);
  return {
    keys: shown,
    countText: countText({ name: 'keys', one: 'key' }, count),
    next: hasMore ? shown.at(-1)?.id : undefined,
  };
}

function orderIn(sort: string): KeyWindow['by'] | undefined {
  return KEY_ORDERS.find((order) => order === sort.replace(/^-/, ''));
}
