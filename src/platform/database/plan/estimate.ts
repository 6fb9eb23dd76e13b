import type { Effect } from './effect';
import type { Facts } from './facts';

/** Rows a second, on a server of middling size: what a statement does with the rows of a table that it reads or writes. */
const ROWS_PER_SECOND = { read: 3_000_000, index: 900_000, rewrite: 150_000, change: 35_000 } as const;

type Work = keyof typeof ROWS_PER_SECOND;

/** Locks of PostgreSQL, weakest first, as far as migrations take them. */
const LOCKS = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;

export type Lock = (typeof LOCKS)[number];

/** The lock that a statement takes for an effect (PostgreSQL 18, 13.3). */
export function lockOf(effect: Effect): Lock {
  switch (effect.kind) {
    case 'rows-added':
    case 'rows-changed':
      return 'ROW EXCLUSIVE';
    case 'constraint-validated':
      return 'SHARE UPDATE EXCLUSIVE';
    case 'index-built':
      return 'SHARE';
    case 'table-referenced':
    case 'trigger-added':
      return 'SHARE ROW EXCLUSIVE';
    case 'constraint-added':
      return effect.type === 'f' ? 'SHARE ROW EXCLUSIVE' : 'ACCESS EXCLUSIVE';
    case 'table-locked':
      return LOCKS.find((lock) => lock === effect.lock) ?? 'ACCESS EXCLUSIVE';
    default:
      return 'ACCESS EXCLUSIVE';
  }
}

/** The strongest of some locks, of which there is one at least. */
export function strongest(locks: readonly Lock[]): Lock {
  return LOCKS.findLast((lock) => locks.includes(lock)) as Lock;
}

/** Time that a statement takes for its effects, in seconds, by the sizes of the tables. */
export function secondsOf(effects: readonly Effect[], { sizes }: Facts): number {
  return effects.reduce((sum, effect) => {
    const work = workOf(effect);
    return sum + (work ? (sizes.get(effect.table)?.rows ?? 0) / ROWS_PER_SECOND[work] : 0);
  }, 0);
}

function workOf(effect: Effect): Work | undefined {
  switch (effect.kind) {
    case 'column-added':
    case 'type-changed':
      return effect.rewrites ? 'rewrite' : undefined;
    case 'table-rewritten':
      return 'rewrite';
    case 'index-built':
      return 'index';
    case 'column-required':
    case 'constraint-validated':
      return 'read';
    case 'constraint-added':
      if (!effect.readsRows) return undefined;
      return effect.type === 'c' || effect.type === 'f' ? 'read' : 'index';
    case 'rows-changed':
      return 'change';
    default:
      return undefined;
  }
}

/** Requests served on a table when nobody waits. */
export const ALL = 'reads and writes';

/** Returns the requests served on a table while a transaction has such a lock on it. */
export function servedUnder(lock: Lock): string {
  if (lock === 'ACCESS EXCLUSIVE') return 'nothing';
  return LOCKS.indexOf(lock) >= LOCKS.indexOf('SHARE') ? 'reads' : ALL;
}
