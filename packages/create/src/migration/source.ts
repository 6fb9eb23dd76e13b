import { type DataSource, type EntityMetadata, Table, type TableColumn } from 'typeorm';
import { importNames } from '../feature/import-names.ts';
import { type Difference, type NewPart, type NewTable, PARTS } from './difference.ts';

/** Words of `columnTypes()`, with the type of each on an engine. */
export type ColumnWords = Readonly<Record<string, unknown>>;

/** The same entities as each engine sees them, and its names of the column types. */
export interface Engines {
  readonly sqlite: { readonly dataSource: DataSource; readonly words: ColumnWords };
  readonly postgres: { readonly dataSource: DataSource; readonly words: ColumnWords };
}

/** A migration that does nothing yet. */
export function emptyMigration(className: string): string {
  return `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  async up(_queryRunner: QueryRunner): Promise<void> {}

  async down(_queryRunner: QueryRunner): Promise<void> {}
}
`;
}

/**
 * The migration that adds the missing parts, for both engines, whichever of them was compared. The text is not formatted yet.
 *
 * @throws Error of TypeORM when one of the engines has no such column type
 */
export function migrationSource(className: string, difference: Difference, engines: Engines): string {
  const writer = new MigrationWriter(engines);
  const { tables, parts } = difference;
  const up = [
    ...writer.requirements(difference),
    ...tables.map((each) => writer.createTable(each)),
    ...parts.map((each) => writer.add(each)),
  ];
  const down = [...parts.map(drop).reverse(), ...tables.map(dropTable).reverse()];
  const { declarations, imports } = writer;
  const classes = [...(tables.length > 0 ? ['Table'] : []), ...parts.map(({ kind }) => PARTS[kind].type)];
  const names = ['type MigrationInterface', 'type QueryRunner', ...[...new Set(classes)].sort()];
  return `${imports}import { ${names.join(', ')} } from 'typeorm';

export class ${className} implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    ${[...declarations, ...up].join('\n')}
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    ${down.join('\n')}
  }
}
`;
}

/** Reads the decorators of the entities of a data source, without a connection. */
export async function buildMetadata(dataSource: DataSource): Promise<void> {
  await (Reflect.get(dataSource, 'buildMetadatas') as () => Promise<void>).call(dataSource);
}

function drop({ kind, table, part }: NewPart): string {
  return `await queryRunner.${PARTS[kind].drop}(${JSON.stringify(table)}, ${JSON.stringify(part.name)});`;
}

/** An enum is a type of its own on PostgreSQL, which is dropped with its column but not with its table. */
function dropTable({ table: { name, columns } }: NewTable): string {
  const table = JSON.stringify(name);
  return [
    ...columns
      .filter((column) => column.enum)
      .map((column) => `await queryRunner.dropColumn(${table}, ${JSON.stringify(column.name)});`),
    `await queryRunner.dropTable(${table});`,
  ].join('\n');
}

type Options = Readonly<Record<string, unknown>>;

/** Members of a part by which it demands something of rows. */
interface RowDemands {
  readonly columnNames?: readonly string[];
  readonly isUnique?: boolean;
  readonly where?: string;
  readonly referencedTableName?: string;
  readonly referencedColumnNames?: readonly string[];
}

/** Parts of a table that are the same on both engines. */
const SAME = ['indices', 'uniques', 'checks', 'exclusions'] as const;

class MigrationWriter {
  private readonly usedWords = new Set<string>();
  private readonly usedHelpers = new Set<string>();
  private branches = false;
  private readonly engines: Engines;

  constructor(engines: Engines) {
    this.engines = engines;
  }

  /** Declarations that precede the statements. */
  get declarations(): string[] {
    return [
      ...(this.branches ? ["const isPostgres = queryRunner.dataSource.options.type === 'postgres';"] : []),
      ...(this.usedWords.size > 0
        ? [`const { ${[...this.usedWords].sort().join(', ')} } = columnTypes(queryRunner);`]
        : []),
    ];
  }

  /** The line that imports what the statements use of the platform. */
  get imports(): string {
    const names = [...(this.usedWords.size > 0 ? ['columnTypes'] : []), ...this.usedHelpers];
    return names.length > 0 ? `import { ${importNames(names)} } from '@petstore/platform';\n` : '';
  }

  /** What the new parts demand of the rows that there are: first of all, before anything is changed. */
  requirements({ tables, parts }: Difference): string[] {
    const made = new Set(tables.map(({ table }) => table.name));
    const added = new Set(
      parts.filter(({ kind }) => kind === 'addColumns').map(({ table, part }) => `${table}.${part.name}`),
    );
    // Requirements read rows by their ids.
    const hasIds = (table = '') =>
      !made.has(table) &&
      !added.has(`${table}.id`) &&
      this.columnsOf(table).some(({ sqlite: { name } }) => name === 'id');
    return parts.flatMap(({ kind, table, part }) => {
      const { columnNames = [], isUnique, where = '' } = part as RowDemands;
      if (columnNames.length === 0 || !hasIds(table)) return [];
      // A column that is new has no values, and cannot be read yet.
      const columns = this.columnsOf(table).map(({ sqlite: { name } }) => name);
      const isNew = (name: string) => added.has(`${table}.${name}`);
      if (columns.some((name) => isNew(name) && (columnNames.includes(name) || where.includes(name))))
        return [];
      if (kind === 'createForeignKeys') {
        const { referencedTableName, referencedColumnNames } = part as RowDemands;
        const isToIds = String(referencedColumnNames) === 'id' && hasIds(referencedTableName);
        return isToIds ? [this.require('requireReferences', table, columnNames[0], referencedTableName)] : [];
      }
      const isOfMany = kind === 'createUniqueConstraints' || (kind === 'createIndices' && isUnique);
      return isOfMany ? [this.require('requireUnique', table, columnNames, ...(where ? [where] : []))] : [];
    });
  }

  private require(name: string, ...given: readonly unknown[]): string {
    this.usedHelpers.add(name);
    return `await ${name}(queryRunner, ${given.map(literal).join(', ')});`;
  }

  createTable({ table, foreignKeys }: NewTable): string {
    const { name, withoutRowid, uniques } = table;
    const unique = new Set(
      uniques.flatMap(({ columnNames: [first, ...others] }) => (others.length ? [] : first)),
    );
    // The constraint of a unique column is listed by its name already.
    const plain = (column: TableColumn) =>
      Object.assign(column, { isUnique: column.isUnique && !unique.has(column.name) });
    const columns = this.columnsOf(name).map(({ sqlite, postgres }) =>
      this.column(plain(sqlite), plain(postgres)),
    );
    const members = [
      `name: ${JSON.stringify(name)}`,
      ...(withoutRowid ? ['withoutRowid: true'] : []),
      `columns: [${columns.join(', ')}]`,
      ...SAME.filter((kind) => table[kind].length > 0).map(
        (kind) => `${kind}: [${table[kind].map((each) => literal(stated(each))).join(', ')}]`,
      ),
      ...(foreignKeys.length > 0
        ? [`foreignKeys: [${foreignKeys.map((key) => literal(stated(key))).join(', ')}]`]
        : []),
    ];
    return `await queryRunner.createTable(new Table({ ${members.join(', ')} }));`;
  }

  add({ kind, table, part }: NewPart): string {
    const { add, type } = PARTS[kind];
    const column = this.columnsOf(table).find(({ sqlite }) => sqlite.name === part.name);
    const options =
      kind === 'addColumns' && column ? this.column(column.sqlite, column.postgres) : literal(stated(part));
    const given = `${JSON.stringify(table)}, new ${type}(${options})`;
    if (add.startsWith('queryRunner.')) return `await ${add}(${given});`;
    this.usedHelpers.add(add);
    return `await ${add}(queryRunner, ${given});`;
  }

  /** The columns of a table for each engine. */
  private columnsOf(name: string): { sqlite: TableColumn; postgres: TableColumn }[] {
    const { sqlite, postgres } = this.engines;
    const others = new Map(tableNamed(name, postgres.dataSource).columns.map((each) => [each.name, each]));
    return tableNamed(name, sqlite.dataSource).columns.flatMap((column) => {
      const other = others.get(column.name);
      return other ? [{ sqlite: column, postgres: other }] : [];
    });
  }

  private column(onSqlite: object, onPostgres: object): string {
    const [sqlite, postgres] = [stated(onSqlite), stated(onPostgres)];
    const names = Object.keys({ ...sqlite, ...postgres });
    const members = names.map((name) => {
      const [a, b] = [sqlite[name], postgres[name]];
      const word = name === 'type' && a !== b ? this.wordFor(a, b) : undefined;
      return `${name}: ${word ?? this.either(a, b)}`;
    });
    return `{ ${members.join(', ')} }`;
  }

  private wordFor(onSqlite: unknown, onPostgres: unknown): string | undefined {
    if (onSqlite === 'varchar' && onPostgres === 'character varying') return literal(onSqlite);
    const { sqlite, postgres } = this.engines;
    const word = Object.keys(sqlite.words).find(
      (each) => sqlite.words[each] === onSqlite && postgres.words[each] === onPostgres,
    );
    if (word !== undefined) this.usedWords.add(word);
    return word;
  }

  private either(onSqlite: unknown, onPostgres: unknown): string {
    const [a, b] = [literal(onSqlite), literal(onPostgres)];
    if (a === b) return a;
    this.branches = true;
    return `isPostgres ? ${b} : ${a}`;
  }
}

function tableNamed(name: string, dataSource: DataSource): Table {
  const metadata = dataSource.entityMetadatas.find(
    ({ tableName, tableType }) => tableName === name && tableType !== 'entity-child',
  ) as EntityMetadata;
  return Table.create(metadata, dataSource.driver);
}

/** Options that come first, in this order. */
const FIRST = ['name', 'type', 'isPrimary', 'isGenerated', 'columnNames', 'referencedTableName'];

/** Values of options that change nothing: `onUpdate` of a column is for MySQL. */
const IDLE: ReadonlySet<unknown> = new Set([undefined, false, '', 'NO ACTION']);

/** The options that change something. */
function stated(options: object): Options {
  const isColumn = 'isNullable' in options;
  const said = Object.entries(options).filter(
    ([name, value]: [string, unknown]) =>
      name !== '@instanceof' && !IDLE.has(value) && !(isColumn && name === 'onUpdate'),
  );
  const place = ([name]: [string, unknown]) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return Object.fromEntries(said.sort((a, b) => place(a) - place(b)));
}

/** A value as TypeScript writes it; `undefined` if an engine has no such option. */
function literal(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}
