import type { KeyStatus, KeyView } from '../../../auth/dto/key-view';
import type { KeyWarning, KeyWarningKind } from '../../../auth/dto/key-warning';
import type { KeyWarningsService } from '../../../auth/key-warnings.service';

/** A key with what there is to say about it. */
export interface ListedKey extends KeyView {
  readonly warnings: readonly KeyWarning[];
}

/** What the list of keys shows. */
export interface KeyListQuery {
  /** A part of a name, an owner, an id, a hint or a scope, in any letter case; empty for all. */
  readonly text: string;
  /** `current` are those that work or could be made to work. */
  readonly status: KeyStatus | 'current' | 'all';
  readonly warning: KeyWarningKind | '';
  /** As the parameter `sort`. */
  readonly sort: string;
  /** The id of the key before the first. */
  readonly after: string;
}

/** A stretch of the list. */
export interface KeyListPage {
  readonly keys: readonly ListedKey[];
  /** How many there are in all stretches. */
  readonly total: number;
  /** The value of `after` for the next stretch. */
  readonly next: string | undefined;
}

/** Keys on one page. */
export const PAGE_SIZE = 50;

const STATUSES = ['current', 'active', 'disabled', 'expired', 'revoked', 'all'] as const;
const WARNINGS = ['expiring', 'never_used', 'idle'] as const;
const ORDERS: Readonly<Record<string, (key: ListedKey) => string>> = {
  name: ({ name }) => name.toLowerCase(),
  owner: ({ owner }) => owner?.toLowerCase() ?? '',
  created: ({ createdAt }) => createdAt,
  // Unlike every instant: what never expires does so last, and what was never used was so first.
  expires: ({ expiresAt }) => expiresAt ?? '~',
  used: ({ lastUsedAt }) => lastUsedAt ?? '',
};

/** Reads the filters of an address; what it does not know counts as not given. */
export function readKeyListQuery(query: URLSearchParams): KeyListQuery {
  const sort = query.get('sort') ?? '';
  return {
    text: query.get('q')?.trim() ?? '',
    status: STATUSES.find((status) => status === query.get('status')) ?? 'current',
    warning: WARNINGS.find((warning) => warning === query.get('attention')) ?? '',
    sort: sort.replace(/^-/, '') in ORDERS ? sort : 'name',
    after: query.get('after') ?? '',
  };
}

/** The keys an address asks for. There are few enough of them to look at each. */
export function listKeys(
  all: readonly KeyView[],
  warnings: Pick<KeyWarningsService, 'about'>,
  query: KeyListQuery,
): KeyListPage {
  const found = all
    .filter((key) => isOf(query.status, key) && matches(query.text.toLowerCase(), key))
    .map((key) => ({ ...key, warnings: warnings.about(key) }))
    .filter((key) => query.warning === '' || key.warnings.some(({ kind }) => kind === query.warning))
    .sort(comparison(query.sort));
  const start = found.findIndex(({ id }) => id === query.after) + 1;
  const keys = found.slice(start, start + PAGE_SIZE);
  const next = start + PAGE_SIZE < found.length ? keys.at(-1)?.id : undefined;
  return { keys, total: found.length, next };
}

function isOf(wanted: KeyListQuery['status'], { status }: KeyView): boolean {
  if (wanted === 'current') return status === 'active' || status === 'disabled';
  return wanted === 'all' || status === wanted;
}

function matches(text: string, { id, name, owner, hint, scopes }: KeyView): boolean {
  return [id, name, owner ?? '', hint, ...scopes].some((part) => part.toLowerCase().includes(text));
}

function comparison(sort: string): (a: ListedKey, b: ListedKey) => number {
  const by = ORDERS[sort.replace(/^-/, '')] as (key: ListedKey) => string;
  const sign = sort.startsWith('-') ? -1 : 1;
  return (a, b) => {
    const [one, other] = [by(a), by(b)];
    if (one !== other) return one < other ? -sign : sign;
    return a.id < b.id ? -1 : 1;
  };
}
