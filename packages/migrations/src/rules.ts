import type { ConstraintType, Effect, Engine } from './effect';

/**
 * Something that a migration must not do while nodes serve. `find` gets each effect of each statement, and returns a sentence when the
 * effect breaks the rule. Add yours to {@link RULES}.
 */
export interface Rule {
  readonly name: string;
  /** The section of docs/schema-changes.md that says what to do instead. */
  readonly section: string;
  /** True if the rule holds on SQLite, too, where nothing else serves. */
  readonly onSqlite?: true;
  readonly find: (effect: Effect, engine: Engine) => string | undefined;
}

const USED = 'but the previous version may use it';
const OF_BEFORE = 'the previous version inserts rows without it';

/** The rules of docs/schema-changes.md, for tables that are large and in use. */
export const RULES: readonly Rule[] = [
  {
    name: 'required-column',
    section: 'rules',
    onSqlite: true,
    find(effect, engine) {
      if (effect.kind !== 'column-added' || !effect.isRequired) return undefined;
      const lacking = engine === 'sqlite' ? 'rows that are there lack it' : OF_BEFORE;
      return `The column ${effect.table}.${effect.column} is NOT NULL without a default, but ${lacking}. Make it nullable, or give it a constant default.`;
    },
  },
  {
    name: 'failing',
    section: 'what-the-service-does',
    onSqlite: true,
    find: (effect) =>
      effect.kind === 'failed'
        ? `It cannot be carried out on a database without rows: ${effect.reason.replace(/\.?$/, '.')}`
        : undefined,
  },
  {
    name: 'ended-transaction',
    section: 'what-the-service-does',
    onSqlite: true,
    find: (effect) =>
      effect.kind === 'transaction-ended'
        ? 'It ends the transaction in which it runs, so what it does before stays when it fails later. Leave the transaction alone.'
        : undefined,
  },
  {
    name: 'random-default',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'column-added' && effect.rewrites
        ? `The column ${effect.table}.${effect.column} has another value in each row, so PostgreSQL writes the whole table anew while nobody reads it. A default is a constant: add the column without a default, and fill the rows afterwards.`
        : undefined,
  },
  {
    name: 'dropped-column',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'column-dropped'
        ? `The column ${effect.table}.${effect.column} is dropped, ${USED}. Retire it first, and drop it two releases later.`
        : undefined,
  },
  {
    name: 'renamed-column',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'column-renamed'
        ? `The column ${effect.table}.${effect.column} is renamed, ${USED}. Add a new column, write both, and retire the old one.`
        : undefined,
  },
  {
    name: 'dropped-table',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'table-dropped'
        ? `The table ${effect.table} is dropped, ${USED}. Drop it two releases after the last use.`
        : undefined,
  },
  {
    name: 'dropped-schema',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'schema-dropped'
        ? 'It drops a schema, with tables that are known to the database alone. Drop each table by its name, two releases after the last use.'
        : undefined,
  },
  {
    name: 'renamed-table',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'table-renamed'
        ? `The table ${effect.table} is renamed, ${USED}. Make a new table, write both, and drop the old one two releases later.`
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
    find(effect) {
      if (effect.kind !== 'column-required') return undefined;
      const { table, column } = effect;
      return `The column ${table}.${column} becomes NOT NULL, so PostgreSQL reads all rows while nobody else does, and ${OF_BEFORE}. Add CHECK (${column} IS NOT NULL) NOT VALID, and make the column NOT NULL two releases later.`;
    },
  },
  {
    name: 'dropped-default',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'default-dropped'
        ? `The column ${effect.table}.${effect.column} is NOT NULL and loses its default, but ${OF_BEFORE}. Drop the default two releases later.`
        : undefined,
  },
  {
    name: 'blocking-index',
    section: 'an-index-on-a-large-table',
    find(effect) {
      if (effect.kind !== 'index-built' || effect.isOptional || effect.isConcurrent) return undefined;
      const { name, table, definition } = effect;
      return `The index ${name} of ${table} keeps writers waiting until it is done. Let a migration with "transaction = false" make it by addIndexConcurrently(), or use addIndex(), which refuses many rows, and have it made by hand before: ${definition.replace('INDEX', 'INDEX CONCURRENTLY')};`;
    },
  },
  {
    name: 'constraint-in-one-step',
    section: 'a-check-or-a-foreign-key-on-a-large-table',
    find(effect) {
      if (effect.kind === 'constraint-validated' && effect.isWaitedFor) {
        return `The constraint ${effect.name} is validated for all rows of ${effect.table} while requests wait for a lock of the migration. Leave it NOT VALID: the service validates it after the migrations.`;
      }
      if (effect.kind !== 'constraint-added' || !effect.readsRows) return undefined;
      const { name, table, type } = effect;
      return `The ${CONSTRAINTS[type]} ${name} is checked for all rows of ${table} while writers wait. ${REMEDIES[type]}`;
    },
  },
  {
    name: 'dropped-uniqueness',
    section: 'rules',
    find: (effect) =>
      (effect.kind === 'index-dropped' || effect.kind === 'constraint-dropped') && effect.isUnique
        ? `${effect.name} of ${effect.table} is dropped, but the previous version may rely on unique rows, as INSERT ... ON CONFLICT does. Drop it two releases after the last use.`
        : undefined,
  },
  {
    name: 'renamed-value',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'label-renamed'
        ? `The value ${effect.from} of an enum of ${effect.table} is renamed to ${effect.to}, which the previous version does not know. Add the new value, and write it two releases later.`
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
    name: 'sleep',
    section: 'what-the-service-does',
    find: (effect) =>
      effect.kind === 'slept'
        ? 'It sleeps, and keeps its locks meanwhile. Let it wait for nothing.'
        : undefined,
  },
  {
    name: 'emptied-table',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'table-emptied'
        ? `The table ${effect.table} is emptied, while the previous version serves its rows.`
        : undefined,
  },
  {
    name: 'backfill',
    section: 'fill-old-rows',
    find: (effect) =>
      effect.kind === 'rows-changed'
        ? `An ${effect.verb} may reach every row of ${effect.table}, and holds their locks until all migrations are done. Fill old rows after the roll-out, in batches.`
        : undefined,
  },
  {
    name: 'unseen-work',
    section: 'fill-old-rows',
    find: (effect) =>
      effect.kind === 'rows-read-within'
        ? `A block or a function reads rows of ${effect.table}; what it does with them cannot be told without rows. Write its statements in the migration, or fill old rows after the roll-out, in batches.`
        : undefined,
  },
  {
    name: 'trigger',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'trigger-added' && effect.isBeforeRows
        ? `The trigger ${effect.name} runs before each row of ${effect.table} is written, and can change or drop what the previous version writes. Let the service do it.`
        : undefined,
  },
  {
    name: 'rule',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'rule-added'
        ? `The rule ${effect.name} rewrites statements on ${effect.table}, also those of the previous version. Let the service do it.`
        : undefined,
  },
  {
    name: 'row-security',
    section: 'rules',
    find: (effect) =>
      effect.kind === 'row-security-changed'
        ? `The row security of ${effect.table} changes, so the service may no longer see or write its rows. Let the service decide who sees what.`
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

const VALIDATE = 'Add it NOT VALID: the service validates it after the migrations.';
const USE_INDEX = 'Create a unique index CONCURRENTLY before, and add the constraint USING that INDEX.';

const REMEDIES: Readonly<Record<ConstraintType, string>> = {
  c: VALIDATE,
  f: VALIDATE,
  n: VALIDATE,
  p: USE_INDEX,
  u: USE_INDEX,
  x: 'PostgreSQL cannot do that later: put it on a new table.',
};

/** True if every value of one type is one of the other, and is read alike: a longer text, or one of any length. */
function isWider(from: string, to: string): boolean {
  const lengthOf = (type: string) => /^character varying(?:\((\d+)\))?$|^text$/.exec(type);
  const [before, after] = [lengthOf(from), lengthOf(to)];
  return before !== null && after !== null && Number(after[1] ?? Infinity) >= Number(before[1] ?? Infinity);
}
