import type { Catalog } from './catalog';
import type { Effect } from './effect';

/** Tables that were there before the migrations, by their numbers. */
export type KnownTables = ReadonlyMap<number, string>;

/** Returns the effects of a statement on known tables, from the catalogs before and after it. */
export function effectsBetween(known: KnownTables, before: Catalog, after: Catalog, sql: string): Effect[] {
  const effects = [...known].flatMap(([id, table]): Effect[] => {
    const [old, now] = [partsOf(before, id), partsOf(after, id)];
    if (!old.self) return [];
    if (!now.self) return [{ kind: 'table-dropped', table }];
    const parts = [
      ...columnEffects(table, old, now),
      ...constraintEffects(table, old, now),
      ...indexEffects(table, old, now, sql),
      ...otherEffects(table, old, now),
    ];
    const written = writeEffects(table, now.writes, sql);
    const isExplained = [...parts, ...written].some(
      (effect) => ('rewrites' in effect && effect.rewrites) || effect.kind === 'table-emptied',
    );
    const isNew = old.self.file !== now.self.file && !isExplained;
    const isRenamed = old.self.name !== now.self.name || old.self.schema !== now.self.schema;
    return [
      ...(isRenamed ? [{ kind: 'table-renamed', table, to: now.self.name } as const] : []),
      ...parts,
      ...written,
      ...(isNew ? [{ kind: 'table-rewritten', table } as const] : []),
      ...lockEffects(table, now.self.name, sql),
    ];
  });
  return effects.length > 0 ? effects : otherAlterations(known, after, sql);
}

/** Returns effects that the catalogs do not show, such as a renamed constraint: it takes a moment, but a lock that may be the strongest. */
function otherAlterations(known: KnownTables, { tables }: Catalog, sql: string): Effect[] {
  const name = /^\s*ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?"?(\w+)"?/i.exec(sql)?.[1];
  const id = tables.find((table) => table.name === name)?.id;
  const table = id === undefined ? undefined : known.get(id);
  return table === undefined ? [] : [{ kind: 'table-altered', table }];
}

type Parts = ReturnType<typeof partsOf>;

function partsOf(catalog: Catalog, id: number) {
  const of = <T extends { readonly table: number }>(all: readonly T[]) =>
    all.filter(({ table }) => table === id);
  return {
    self: catalog.tables.find((table) => table.id === id),
    columns: of(catalog.columns),
    constraints: of(catalog.constraints),
    /** Foreign keys of other tables. */
    references: catalog.constraints.filter(({ references, table }) => references === id && table !== id),
    indexes: of(catalog.indexes),
    triggers: of(catalog.triggers),
    labels: of(catalog.labels),
    writes: of(catalog.writes),
  };
}

function columnEffects(table: string, old: Parts, now: Parts): Effect[] {
  const isRewritten = old.self?.file !== now.self?.file;
  const added = now.columns.filter(({ number }) => !old.columns.some((each) => each.number === number));
  const kept = old.columns.flatMap((column): Effect[] => {
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
      ...(column.isNullable && !found.isNullable
        ? [
            {
              kind: isProven(name, old, now) ? 'column-proven' : 'column-required',
              table,
              column: name,
            } as const,
          ]
        : []),
      ...(lacksDefault && !found.isNullable
        ? [{ kind: 'default-dropped', table, column: name } as const]
        : []),
      ...(column.default !== found.default
        ? [{ kind: 'default-changed', table, column: name } as const]
        : []),
    ];
  });
  return [
    ...kept,
    ...added.map(({ name, isNullable, default: value, isGenerated }): Effect => {
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

function constraintEffects(table: string, old: Parts, now: Parts): Effect[] {
  const isIn = (parts: Parts['constraints'], { id }: Parts['constraints'][number]) =>
    parts.some((each) => each.id === id);
  return [
    ...now.constraints
      .filter((each) => !isIn(old.constraints, each) && each.type !== 'n')
      .map((each): Effect => {
        const { name, type, isValid } = each;
        return { kind: 'constraint-added', table, name, type, readsRows: isValid && !isKept(each, old, now) };
      }),
    ...now.constraints
      .filter(({ id, isValid }) => isValid && old.constraints.some((each) => each.id === id && !each.isValid))
      .map(({ name }) => ({ kind: 'constraint-validated', table, name }) as const),
    ...old.constraints
      .filter((each) => !now.constraints.some(({ id, name }) => id === each.id || name === each.name))
      .filter(({ type }) => type !== 'n')
      .map(({ name, type }) => {
        const isUnique = type === 'p' || type === 'u';
        return { kind: 'constraint-dropped', table, name, isUnique } as const;
      }),
    ...now.references
      .filter((each) => !isIn(old.references, each))
      .map(() => ({ kind: 'table-referenced', table }) as const),
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

function indexEffects(table: string, old: Parts, now: Parts, sql: string): Effect[] {
  const isOfConstraint = (parts: Parts, index: number) =>
    parts.constraints.some((each) => each.index === index);
  const isRewritten = old.self?.file !== now.self?.file;
  const isOptional = /\bIF\s+NOT\s+EXISTS\b/i.test(sql);
  const schema = now.self?.schema ?? '';
  return [
    ...now.indexes
      .filter(({ id, file }) => {
        if (old.indexes.some((each) => each.file === file)) return false;
        return old.indexes.some((each) => each.id === id) ? !isRewritten : !isOfConstraint(now, id);
      })
      .map(({ name, definition }): Effect => ({
        kind: 'index-built',
        table,
        name,
        definition: definition.replaceAll(`${schema}.`, ''),
        isOptional,
      })),
    ...old.indexes
      .filter(({ id, name }) => !now.indexes.some((each) => each.id === id || each.name === name))
      .filter(({ id }) => !isOfConstraint(old, id))
      .map(({ name, isUnique }) => ({ kind: 'index-dropped', table, name, isUnique }) as const),
  ];
}

function otherEffects(table: string, old: Parts, now: Parts): Effect[] {
  const isIn = (parts: readonly { readonly id: number }[], id: number) =>
    parts.some((each) => each.id === id);
  return [
    ...now.triggers
      .filter(({ id }) => !isIn(old.triggers, id))
      .map(({ name }) => ({ kind: 'trigger-added', table, name }) as const),
    ...old.triggers
      .filter(({ id }) => !isIn(now.triggers, id))
      .map(({ name }) => ({ kind: 'trigger-dropped', table, name }) as const),
    ...old.labels.flatMap(({ id, label }) => {
      const found = now.labels.find((each) => each.id === id);
      if (!found || found.label === label) return [];
      return [{ kind: 'label-renamed', table, from: label, to: found.label } as const];
    }),
  ];
}

/** An INSERT of rows that it names itself adds few; one that reads others may add as many as there are. */
function writeEffects(table: string, writes: Catalog['writes'], sql: string): Effect[] {
  return [...new Set(writes.map(({ verb }) => verb))].map((verb) => {
    if (verb === 'TRUNCATE') return { kind: 'table-emptied', table };
    const addsFew = verb === 'INSERT' && !/\bSELECT\b/i.test(sql);
    return { kind: addsFew ? 'rows-added' : 'rows-changed', table, verb };
  });
}

function lockEffects(table: string, name: string, sql: string): Effect[] {
  const [, names = '', mode = 'ACCESS EXCLUSIVE'] =
    /^\s*LOCK\s+(?:TABLE\s+)?(.*?)(?:\s+IN\s+([A-Z\s]+?)\s+MODE.*)?;?\s*$/is.exec(sql) ?? [];
  const isMeant = names.split(/[\s,."]+/).includes(name);
  return isMeant ? [{ kind: 'table-locked', table, lock: mode.toUpperCase().replaceAll(/\s+/g, ' ') }] : [];
}
