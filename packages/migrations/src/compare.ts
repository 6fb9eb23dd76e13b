import type { Catalog } from './catalog';
import type { TableEffect } from './effect';

/** Tables that were there before the migration, by their numbers. */
export type KnownTables = ReadonlyMap<number, string>;

/** Returns the effects of a statement on known tables, from the catalogs before and after it. */
export function effectsBetween(
  known: KnownTables,
  before: Catalog,
  after: Catalog,
  sql: string,
): TableEffect[] {
  return [...known].flatMap(([id, table]): TableEffect[] => {
    const [old, now] = [partsOf(before, id), partsOf(after, id)];
    if (!old.self) return [];
    if (!now.self) return [{ kind: 'table-dropped', table }];
    const parts = [
      ...columnEffects(table, old, now),
      ...constraintEffects(table, old, now),
      ...indexEffects(table, old, now, sql),
      ...otherEffects(table, old, now),
    ];
    const rows = rowEffects(table, old, now, sql);
    const isExplained = [...parts, ...rows].some(
      (effect) => ('rewrites' in effect && effect.rewrites) || effect.kind === 'table-emptied',
    );
    const isNew = old.self.file !== now.self.file && !isExplained;
    const isRenamed = old.self.name !== now.self.name || old.self.schema !== now.self.schema;
    return [
      ...(isRenamed ? [{ kind: 'table-renamed', table, to: now.self.name } as const] : []),
      ...parts,
      ...rows,
      ...(isNew ? [{ kind: 'table-rewritten', table } as const] : []),
      ...(isLocked(old, now, sql) ? [{ kind: 'table-locked', table } as const] : []),
    ];
  });
}

type Parts = ReturnType<typeof partsOf>;

function partsOf(catalog: Catalog, id: number) {
  const of = <T extends { readonly table: number }>(all: readonly T[]) =>
    all.filter(({ table }) => table === id);
  return {
    self: catalog.tables.find((table) => table.id === id),
    columns: of(catalog.columns),
    constraints: of(catalog.constraints),
    indexes: of(catalog.indexes),
    triggers: of(catalog.triggers),
    rules: of(catalog.rules),
    labels: of(catalog.labels),
    isWaitedFor: of(catalog.waits).length > 0,
    reads: of(catalog.reads)[0]?.times ?? 0,
    writes: of(catalog.writes),
  };
}

function columnEffects(table: string, old: Parts, now: Parts): TableEffect[] {
  const isRewritten = old.self?.file !== now.self?.file;
  const added = now.columns.filter(({ number }) => !old.columns.some((each) => each.number === number));
  const kept = old.columns.flatMap((column): TableEffect[] => {
    const found = now.columns.find(({ number }) => number === column.number);
    const { name } = column;
    if (!found) return [{ kind: 'column-dropped', table, column: name }];
    const { type: to } = found;
    const lacksDefault = column.default !== null && found.default === null && !found.isGenerated;
    return [
      ...(found.name === name
        ? []
        : [{ kind: 'column-renamed', table, column: name, to: found.name } as const]),
      ...(to === column.type
        ? []
        : [
            {
              kind: 'type-changed',
              table,
              column: name,
              from: column.type,
              to,
              rewrites: isRewritten,
            } as const,
          ]),
      ...(column.isNullable && !found.isNullable && !isProven(name, old, now)
        ? [{ kind: 'column-required', table, column: name } as const]
        : []),
      ...(lacksDefault && !found.isNullable
        ? [{ kind: 'default-dropped', table, column: name } as const]
        : []),
    ];
  });
  return [
    ...kept,
    ...added.map(({ name, isNullable, default: value, isGenerated }): TableEffect => {
      const isRequired = !isNullable && value === null && !isGenerated;
      return { kind: 'column-added', table, column: name, isRequired, rewrites: isRewritten };
    }),
  ];
}

/** True if PostgreSQL need not read the rows to know that a column has a value in all of them, or does not do so yet. */
function isProven(column: string, old: Parts, now: Parts): boolean {
  const isOfColumn = (definition: string) =>
    definition.replaceAll('"', '').startsWith(`NOT NULL ${column}`) ||
    definition.replaceAll('"', '') === `CHECK ((${column} IS NOT NULL))`;
  return (
    old.constraints.some(({ isValid, definition }) => isValid && isOfColumn(definition)) ||
    now.constraints.some(
      ({ type, isValid, definition }) => type === 'n' && !isValid && isOfColumn(definition),
    )
  );
}

function constraintEffects(table: string, old: Parts, now: Parts): TableEffect[] {
  const isIn = (parts: Parts['constraints'], { id }: Parts['constraints'][number]) =>
    parts.some((each) => each.id === id);
  return [
    ...now.constraints
      .filter((each) => !isIn(old.constraints, each) && each.type !== 'n')
      .map((each): TableEffect => {
        const { name, type, isValid } = each;
        return { kind: 'constraint-added', table, name, type, readsRows: isValid && !isKept(each, old, now) };
      }),
    ...now.constraints
      .filter(({ id, isValid }) => isValid && old.constraints.some((each) => each.id === id && !each.isValid))
      .map(
        ({ name }) => ({ kind: 'constraint-validated', table, name, isWaitedFor: now.isWaitedFor }) as const,
      ),
    ...old.constraints
      .filter((each) => !now.constraints.some(({ id, name }) => id === each.id || name === each.name))
      .filter(({ type }) => type !== 'n')
      .map(({ name, type }) => {
        const isUnique = type === 'p' || type === 'u';
        return { kind: 'constraint-dropped', table, name, isUnique } as const;
      }),
  ];
}

/**
 * True if a new constraint takes over an index that was there, or the result of a foreign key: a change of a column's type makes
 * its constraints anew.
 */
function isKept(
  { name, type, index, definition }: Parts['constraints'][number],
  old: Parts,
  now: Parts,
): boolean {
  if (type === 'f') {
    return old.constraints.some((each) => each.name === name && each.definition === definition);
  }
  const file = now.indexes.find(({ id }) => id === index)?.file;
  return file !== undefined && old.indexes.some((each) => each.file === file);
}

function indexEffects(table: string, old: Parts, now: Parts, sql: string): TableEffect[] {
  const isOfConstraint = (parts: Parts, index: number) =>
    parts.constraints.some((each) => each.index === index);
  const isRewritten = old.self?.file !== now.self?.file;
  const isOptional = /\bIF\s+NOT\s+EXISTS\b/i.test(sql);
  const isConcurrent = /\bCONCURRENTLY\b/i.test(sql);
  const schema = now.self?.schema ?? '';
  return [
    ...now.indexes
      .filter(({ id, file }) => {
        if (old.indexes.some((each) => each.file === file)) return false;
        return old.indexes.some((each) => each.id === id) ? !isRewritten : !isOfConstraint(now, id);
      })
      .map(({ name, definition }): TableEffect => ({
        kind: 'index-built',
        table,
        name,
        definition: definition.replaceAll(`${schema}.`, ''),
        isOptional,
        isConcurrent,
      })),
    ...old.indexes
      .filter(({ id, name }) => !now.indexes.some((each) => each.id === id || each.name === name))
      .filter(({ id }) => !isOfConstraint(old, id))
      .map(({ name, isUnique }) => ({ kind: 'index-dropped', table, name, isUnique }) as const),
  ];
}

function otherEffects(table: string, old: Parts, now: Parts): TableEffect[] {
  return [
    ...newOf(old.triggers, now.triggers).map(({ name, isBeforeRows }) => {
      return { kind: 'trigger-added', table, name, isBeforeRows } as const;
    }),
    ...newOf(old.rules, now.rules).map(({ name }) => ({ kind: 'rule-added', table, name }) as const),
    ...old.labels.flatMap(({ id, label }) => {
      const found = now.labels.find((each) => each.id === id);
      if (!found || found.label === label) return [];
      return [{ kind: 'label-renamed', table, from: label, to: found.label } as const];
    }),
    ...(old.self?.rowSecurity === now.self?.rowSecurity
      ? []
      : [{ kind: 'row-security-changed', table } as const]),
  ];
}

/** Returns those that were not there, or were there with another text. */
function newOf<T extends { readonly definition: string }>(old: readonly T[], now: readonly T[]): T[] {
  return now.filter(({ definition }) => !old.some((each) => each.definition === definition));
}

/** Matches statements that run code of the database: blocks, and functions that are called by themselves. */
const RUNS_CODE = /^\s*(?:DO|CALL)\b|^\s*SELECT\b(?![^]*\bFROM\b)/i;

/** An INSERT of rows that it names itself adds few; one that reads others may add as many as there are. */
function rowEffects(table: string, old: Parts, now: Parts, sql: string): TableEffect[] {
  const written = new Set(now.writes.map(({ verb }) => verb));
  return [
    ...[...written].flatMap((verb): TableEffect[] => {
      if (verb === 'TRUNCATE') return [{ kind: 'table-emptied', table }];
      const addsFew = verb === 'INSERT' && !/\bSELECT\b/i.test(sql);
      return addsFew ? [] : [{ kind: 'rows-changed', table, verb }];
    }),
    ...(now.reads > old.reads && RUNS_CODE.test(sql) ? [{ kind: 'rows-read-within', table } as const] : []),
  ];
}

function isLocked(old: Parts, now: Parts, sql: string): boolean {
  return /^\s*LOCK\b/i.test(sql) && now.isWaitedFor && !old.isWaitedFor;
}
