import type { DataSource, QueryRunner, Table, TableColumn, TableForeignKey } from 'typeorm';
import { Refusal } from '../refusal.ts';

/** Additions of a migration to a schema, in the order in which they can be made. */
export interface Difference {
  /** New tables, each after the tables it refers to. */
  readonly tables: readonly NewTable[];
  /** New parts of existing tables. */
  readonly parts: readonly NewPart[];
}

/** A table with the foreign keys that can be made with it. */
export interface NewTable {
  readonly table: Table;
  readonly foreignKeys: readonly TableForeignKey[];
}

/**
 * Names of each kind of part: of its class, in `dropIndex()`, and of what adds it: a method of TypeORM's, or a function of the
 * service, which keeps no requests waiting.
 */
export const PARTS = {
  addColumns: { add: 'queryRunner.addColumn', drop: 'dropColumn', type: 'TableColumn' },
  createIndices: { add: 'addIndex', drop: 'dropIndex', type: 'TableIndex' },
  createUniqueConstraints: { add: 'addUnique', drop: 'dropUniqueConstraint', type: 'TableUnique' },
  createCheckConstraints: { add: 'addCheck', drop: 'dropCheckConstraint', type: 'TableCheck' },
  createForeignKeys: { add: 'addForeignKey', drop: 'dropForeignKey', type: 'TableForeignKey' },
} as const;

/** A column, index or constraint of a table. */
export interface NewPart {
  readonly kind: keyof typeof PARTS;
  readonly table: string;
  readonly part: { readonly name?: string };
}

/** A call by TypeORM's schema builder. */
interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

/**
 * Finds the changes by which TypeORM would make the database fit the entities.
 *
 * @param dataSource an initialized data source
 * @throws Refusal when migrations are pending, or when something would be changed or dropped
 */
export async function findDifference(dataSource: DataSource): Promise<Difference> {
  if (await dataSource.showMigrations()) {
    throw new Refusal(
      'The database lacks migrations that the new one would repeat: run them first, with npm run typeorm -- migration:run.',
    );
  }
  const tables: Table[] = [];
  const parts: NewPart[] = [];
  for (const { name, args } of await callsOfSchemaBuilder(dataSource)) {
    if (name === 'createTable') tables.push(args[0] as Table);
    else if (isPart(name)) parts.push(...partsOf(name, args));
    else throw refusalOf({ name, args });
  }
  for (const part of parts) refuseRequiredColumn(part);
  return inOrder(tables, parts);
}

function isPart(name: string): name is keyof typeof PARTS {
  return name in PARTS;
}

function partsOf(kind: keyof typeof PARTS, [table, added]: readonly unknown[]): NewPart[] {
  return (added as { name?: string }[]).map((part) => ({ kind, table: (table as Table).name, part }));
}

/** Methods that are called although nothing is changed. */
const NO_CHANGES: ReadonlySet<string> = new Set([
  'getMemorySql',
  'disableSqlMemory',
  'release',
  'changeTableComment',
]);

/** Lets TypeORM compare, and notes its changes instead of making them. */
async function callsOfSchemaBuilder(dataSource: DataSource): Promise<Call[]> {
  const calls: Call[] = [];
  const createQueryRunner = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => noting(createQueryRunner(mode), calls);
  try {
    await dataSource.driver.createSchemaBuilder().log();
  } finally {
    dataSource.createQueryRunner = createQueryRunner;
  }
  return calls;
}

function noting(runner: QueryRunner, calls: Call[]): QueryRunner {
  let isComparing = false;
  return new Proxy(runner, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      const name = String(key);
      return (...args: unknown[]): unknown => {
        if (isComparing && !NO_CHANGES.has(name)) {
          calls.push({ name, args });
          return Promise.resolve();
        }
        // Reading ends here; all later calls are changes.
        if (name === 'enableSqlMemory') isComparing = true;
        return Reflect.apply(member, target, args);
      };
    },
  });
}

function refusalOf({ name, args: [table, what] }: Call): Refusal {
  const tableName = typeof table === 'string' ? table : (table as { name: string }).name;
  const names = [what]
    .flat()
    .map((each) => (each as { oldColumn?: TableColumn } | undefined)?.oldColumn ?? each)
    .map((each) => (typeof each === 'string' ? each : (each as { name?: string } | undefined)?.name))
    .filter((each) => each !== undefined);
  return new Refusal(
    `The entities ask for ${name}() on "${tableName}"${names.length > 0 ? ` (${names.join(', ')})` : ''}. Only new tables, columns, indexes and constraints are generated, because nodes of the previous version keep serving. Write other changes by hand, with npm run typeorm -- migration:create: docs/schema-changes.md has the steps.`,
  );
}

/** @throws Refusal for a column that rows of the former version would not have */
function refuseRequiredColumn({ kind, table, part }: NewPart): void {
  if (kind !== 'addColumns') return;
  const column = part as TableColumn;
  if (column.isNullable || column.isGenerated || column.default !== undefined) return;
  throw new Refusal(
    `The column ${column.name} that the entities add to "${table}" must be nullable or have a default: the previous version keeps inserting rows without it (docs/schema-changes.md).`,
  );
}

/** Gives each table its foreign keys, except those to a table that comes after it. */
function inOrder(tables: readonly Table[], parts: readonly NewPart[]): Difference {
  const keysOf = ({ name }: Table) =>
    parts.filter(({ kind, table }) => kind === 'createForeignKeys' && table === name);
  const targetOf = ({ part }: NewPart) => (part as TableForeignKey).referencedTableName;
  const ordered: Table[] = [];
  const visited = new Set<Table>();
  const visit = (table: Table) => {
    if (visited.has(table)) return;
    visited.add(table);
    const targets = new Set(keysOf(table).map(targetOf));
    for (const other of tables) if (targets.has(other.name)) visit(other);
    ordered.push(table);
  };
  tables.forEach(visit);
  const comesAfter = (table: Table, name: string) =>
    ordered.findIndex((other) => other.name === name) > ordered.indexOf(table);
  const withTables = new Set<NewPart>();
  const made = ordered.map((table) => {
    const keys = keysOf(table).filter((key) => !comesAfter(table, targetOf(key)));
    for (const key of keys) withTables.add(key);
    return { table, foreignKeys: keys.map(({ part }) => part as TableForeignKey) };
  });
  return { tables: made, parts: parts.filter((part) => !withTables.has(part)) };
}
