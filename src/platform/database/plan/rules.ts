import type { ConstraintType, Effect } from './effect';
import { type Facts, LARGE_TABLE_ROWS, MOST_CHANGED_ROWS } from './facts';

/**
 * Something that a migration must not do while nodes serve. `find` gets each effect of each statement on a table that was there
 * before, and returns a sentence when the effect breaks the rule. Add yours to {@link RULES}.
 */
export interface Rule {
  readonly name: string;
  /** The section of docs/schema-changes.md that says what to do instead. */
  readonly section: string;
  /** True if it holds on SQLite, too, where nothing else serves. */
  readonly onSqlite?: true;
  /** The last argument is true if requests for the table wait, for this statement or one before it. */
  readonly find: (effect: Effect, facts: Facts, isWaitedFor: boolean) => string | undefined;
}

/** The rules of docs/schema-changes.md. */
export const RULES: readonly Rule[] = [
  {
    name: 'required-column',
    section: 'rules',
    onSqlite: true,
    find(effect, { engine, sizes }) {
      if (effect.kind !== 'column-added' || !effect.isRequired) return undefined;
      // SQLite has one version, which knows the column; only rows that are there lack a value.
      if (engine === 'sqlite' && !sizes.get(effect.table)?.rows) return undefined;
      return `The column ${effect.table}.${effect.column} is NOT NULL without a default, but the version before inserts rows without it. Make it nullable, or give it a constant default.`;
    },
  },
  {
    name: 'random-default',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'column-added' && effect.rewrites
        ? `The column ${effect.table}.${effect.column} has another value in each row, so PostgreSQL writes the whole table anew while nobody reads it. A default is a constant: add the column without one, and fill the rows afterwards.`
        : undefined,
  },
  {
    name: 'dropped-column',
    section: 'rules',
    find: (effect, facts) =>
      effect.kind === 'column-dropped' && isUsed(facts, effect.table, effect.column)
        ? `The column ${effect.table}.${effect.column} is dropped, but ${readers(facts)}. Retire it first, and drop it two releases later.`
        : undefined,
  },
  {
    name: 'renamed-column',
    section: 'rules',
    find: (effect, facts) =>
      effect.kind === 'column-renamed' && isUsed(facts, effect.table, effect.column)
        ? `The column ${effect.table}.${effect.column} is renamed, but ${readers(facts)}. Add a new column, write both, and retire the old one.`
        : undefined,
  },
  {
    name: 'dropped-table',
    section: 'rules',
    find: (effect, facts) =>
      effect.kind === 'table-dropped' && isUsed(facts, effect.table)
        ? `The table ${effect.table} is dropped, but ${readers(facts)}. Drop it two releases after the last use.`
        : undefined,
  },
  {
    name: 'renamed-table',
    section: 'rules',
    find: (effect, facts) =>
      effect.kind === 'table-renamed' && isUsed(facts, effect.table)
        ? `The table ${effect.table} is renamed, but ${readers(facts)}. Make a new table, write both, and drop the old one two releases later.`
        : undefined,
  },
  {
    name: 'changed-type',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'type-changed' && (effect.rewrites || !isWider(effect.from, effect.to))
        ? `The type of ${effect.table}.${effect.column} changes from ${effect.from} to ${effect.to}. Add a new column, write both, and retire the old one.`
        : undefined,
  },
  {
    name: 'required-existing-column',
    section: 'a-check-or-a-foreign-key-on-a-large-table',
    find(effect, facts) {
      if (effect.kind !== 'column-required') return undefined;
      const { table, column } = effect;
      const isRead = isLarge(facts, table);
      if (!isRead && !serves(facts)) return undefined;
      const reason = isRead
        ? `so PostgreSQL reads ${rowsOf(facts, table)} while nobody else does`
        : 'but the version before may insert rows without it';
      return `The column ${table}.${column} becomes NOT NULL, ${reason}. Add CHECK (${column} IS NOT NULL) NOT VALID, validate it, and make the column NOT NULL in a later release.`;
    },
  },
  {
    name: 'dropped-default',
    section: 'rules',
    find: (effect, facts) =>
      effect.kind === 'default-dropped' && serves(facts)
        ? `The column ${effect.table}.${effect.column} is NOT NULL and loses its default, but the version before may insert rows without it. Drop the default two releases later.`
        : undefined,
  },
  {
    name: 'blocking-index',
    section: 'an-index-on-a-large-table',
    find(effect, facts) {
      if (effect.kind !== 'index-built' || !isLarge(facts, effect.table)) return undefined;
      if (effect.isOptional && (facts.isPrepared || facts.indexes.has(effect.name))) return undefined;
      const byHand = effect.definition.replace('INDEX', 'INDEX CONCURRENTLY');
      const before = effect.isOptional
        ? 'Create it by hand before'
        : 'Write IF NOT EXISTS, and create it by hand before';
      return `The index ${effect.name} on ${rowsOf(facts, effect.table)} of ${effect.table} keeps writers waiting until it is done. ${before}: ${byHand};`;
    },
  },
  {
    name: 'constraint-in-one-step',
    section: 'a-check-or-a-foreign-key-on-a-large-table',
    find(effect, facts, isWaitedFor) {
      if (!isLarge(facts, effect.table)) return undefined;
      if (effect.kind === 'constraint-validated' && isWaitedFor) {
        return `The constraint ${effect.name} is validated for ${rowsOf(facts, effect.table)} of ${effect.table} while requests wait for a lock of the migrations. Validate it after them.`;
      }
      if (effect.kind !== 'constraint-added' || !effect.readsRows) return undefined;
      const { name, table, type } = effect;
      return `The ${CONSTRAINTS[type]} ${name} is checked for ${rowsOf(facts, table)} of ${table} while writers wait. ${REMEDIES[type]}`;
    },
  },
  {
    name: 'dropped-uniqueness',
    section: 'rules',
    find: (effect, facts) =>
      (effect.kind === 'index-dropped' || effect.kind === 'constraint-dropped') &&
      effect.isUnique &&
      serves(facts)
        ? `${effect.name} on ${effect.table} is dropped, but the version before may rely on unique rows, as INSERT ... ON CONFLICT does. Drop it two releases after the last use.`
        : undefined,
  },
  {
    name: 'renamed-value',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'label-renamed'
        ? `The value ${effect.from} of an enum of ${effect.table} is renamed to ${effect.to}, which the version before does not know. Add the new value, and write it two releases later.`
        : undefined,
  },
  {
    name: 'rewritten-table',
    section: 'what-the-service-does',
    find: (effect) =>
      effect.kind === 'table-rewritten'
        ? `All rows of ${effect.table} are written anew, while nobody reads or writes them.`
        : undefined,
  },
  {
    name: 'locked-table',
    section: 'what-the-service-does',
    find: (effect) =>
      effect.kind === 'table-locked'
        ? `The table ${effect.table} is locked by LOCK TABLE until all migrations are done. Leave the locks to the statements that need them.`
        : undefined,
  },
  {
    name: 'emptied-table',
    section: 'rules',
    find: (effect, facts) =>
      effect.kind === 'table-emptied' && serves(facts)
        ? `The table ${effect.table} is emptied, while the version before serves its rows.`
        : undefined,
  },
  {
    name: 'backfill',
    section: 'fill-old-rows',
    find: (effect, { sizes }) =>
      effect.kind === 'rows-changed' && (sizes.get(effect.table)?.rows ?? 0) > MOST_CHANGED_ROWS
        ? `One ${effect.verb} may reach ${count(sizes.get(effect.table)?.rows ?? 0)} rows of ${effect.table}, and holds their locks until all migrations are done. Fill old rows after the roll-out, in batches.`
        : undefined,
  },
];

const CONSTRAINTS: Readonly<Record<ConstraintType, string>> = {
  c: 'CHECK',
  f: 'foreign key',
  p: 'primary key',
  u: 'unique constraint',
  x: 'exclusion constraint',
  n: 'NOT NULL constraint',
};

const VALIDATE = 'Add it NOT VALID, and validate it after the migration.';
const USE_INDEX =
  'Create a unique index CONCURRENTLY by hand before, and add the constraint USING that INDEX.';

const REMEDIES: Readonly<Record<ConstraintType, string>> = {
  c: VALIDATE,
  f: VALIDATE,
  n: VALIDATE,
  p: USE_INDEX,
  u: USE_INDEX,
  x: 'PostgreSQL cannot do that later: put it on a new table.',
};

function isLarge({ sizes }: Facts, table: string): boolean {
  return (sizes.get(table)?.rows ?? 0) > LARGE_TABLE_ROWS;
}

function rowsOf({ sizes }: Facts, table: string): string {
  return `${count(sizes.get(table)?.rows ?? 0)} rows`;
}

/** `about 2,300,000`: two digits of an estimate. */
function count(rows: number): string {
  return `about ${Number(rows.toPrecision(2)).toLocaleString('en')}`;
}

function serves({ serving }: Facts): boolean {
  return serving.versions.length > 0;
}

/** True if a version that serves uses the column, or one of the table, or does not tell. */
function isUsed(facts: Facts, table: string, column?: string): boolean {
  const { columns } = facts.serving;
  if (!serves(facts) || !columns) return serves(facts);
  return column === undefined
    ? [...columns].some((each) => each.startsWith(`${table}.`))
    : columns.has(`${table}.${column}`);
}

function readers({ serving: { versions, columns } }: Facts): string {
  const names =
    versions.length === 1 ? `version ${versions[0]} serves` : `versions ${versions.join(', ')} serve`;
  if (!columns) return `${names} and may use it`;
  return `${names} and use${versions.length === 1 ? 's' : ''} it`;
}

/** True if every value of one type is one of the other, and is read alike: a longer text, or one of any length. */
function isWider(from: string, to: string): boolean {
  const lengthOf = (type: string) => /^character varying(?:\((\d+)\))?$|^text$/.exec(type);
  const [before, after] = [lengthOf(from), lengthOf(to)];
  return before !== null && after !== null && Number(after[1] ?? Infinity) >= Number(before[1] ?? Infinity);
}
