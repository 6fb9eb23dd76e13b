import {
  type DataSource,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
} from 'typeorm';
import { GeneratedInt64Key, Int64Column, TextColumn } from '../../../platform/database/column-types';
import { createDataSource } from '../../../platform/database/driver/data-source';
import { type Placement, placementsOf } from './placement';
import { statementsFor } from './statements';

@Entity('shelves')
class Shelf {
  @GeneratedInt64Key('pk_shelves')
  id!: bigint;

  @OneToMany('Board', 'shelf', { cascade: true })
  boards!: Board[];
}

/** A part of a shelf. */
@Entity('boards')
class Board {
  @PrimaryColumn({ name: 'shelf_id', type: 'bigint', primaryKeyConstraintName: 'pk_boards' })
  shelfId?: bigint;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'pk_boards' })
  position?: number;

  @ManyToOne('Shelf', 'boards', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'shelf_id', foreignKeyConstraintName: 'fk_boards_shelf_id' })
  shelf?: Shelf;
}

@Entity('toys')
@Index('uq_toys_label', ['label'], { unique: true })
class Toy {
  @GeneratedInt64Key('pk_toys')
  id!: bigint;

  @TextColumn()
  label!: string;
}

@Entity('stalls')
class Stall {
  @GeneratedInt64Key('pk_stalls')
  id!: bigint;

  @Int64Column({ name: 'next_id', nullable: true })
  @ForeignKey(() => Stall, { name: 'fk_stalls_next_id' })
  nextId!: bigint | null;
}

/** A row that refers to rows of two other modules, one of which cannot be distributed. */
@Entity('aisles')
class Aisle {
  @GeneratedInt64Key('pk_aisles')
  id!: bigint;

  @Int64Column({ name: 'stall_id' })
  @ForeignKey(() => Stall, { name: 'fk_aisles_stall_id' })
  stallId!: bigint;

  @Int64Column({ name: 'toy_id' })
  @ForeignKey(() => Toy, { name: 'fk_aisles_toy_id' })
  toyId!: bigint;
}

/** A row that refers to a table of rows with parts. */
@Entity('labels')
class Label {
  @GeneratedInt64Key('pk_labels')
  id!: bigint;

  @Int64Column({ name: 'shelf_id' })
  @ForeignKey(() => Shelf, { name: 'fk_labels_shelf_id' })
  shelfId!: bigint;
}

const SETTINGS = {
  databaseUrl: 'sqlite::memory:',
  databasePoolSize: 1,
  databaseStatementTimeoutMs: 1_000,
};

describe('The placement of a table on Citus', () => {
  let dataSource: DataSource;

  beforeAll(async () => {
    const entities = [Shelf, Board, Toy, Stall, Aisle];
    dataSource = await createDataSource(SETTINGS, [{ owner: 'Spec', entities, migrations: [] }]).initialize();
  });
  afterAll(() => dataSource.destroy());

  /** Placements of tables that move, and of the tables of this spec, in the order in which they are moved. */
  function placed(...entities: Function[]): Placement[] {
    const spread = entities.map((entity) => ({ entity, by: 'id' }));
    const own = /^(shelves|boards|toys|stalls|aisles)$/;
    return placementsOf(dataSource, spread).filter(
      ({ table, place }) => place !== 'local' || own.test(table),
    );
  }

  const briefly = (placements: readonly Placement[]) =>
    placements.map(({ table, place, column, colocatedWith }) => [table, place, column, colocatedWith]);

  it('is local for tables without records', () => {
    const placements = placementsOf(dataSource, []);
    expect(placements.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['audit_events', 'api_keys', 'toys']),
    );
    expect(new Set(placements.map(({ place }) => place))).toEqual(new Set(['local']));
  });

  it('is beside the parent rows for a table of child rows', () => {
    const distributed = placed(Shelf).filter(({ place }) => place === 'distributed');
    expect(briefly(distributed)).toEqual([
      ['shelves', 'distributed', 'id', null],
      ['boards', 'distributed', 'shelf_id', 'shelves'],
    ]);
  });

  it('is set up by statements that drop and restore the foreign key between child and parent rows', () => {
    expect(
      statementsFor(
        dataSource,
        placed(Shelf).filter(({ place }) => place === 'distributed'),
      ),
    ).toEqual([
      'ALTER TABLE "boards" DROP CONSTRAINT "fk_boards_shelf_id"',
      `SELECT create_distributed_table('shelves', 'id', colocate_with => 'none')`,
      `SELECT truncate_local_data_after_distributing_table('shelves')`,
      `SELECT create_distributed_table('boards', 'shelf_id', colocate_with => 'shelves')`,
      `SELECT truncate_local_data_after_distributing_table('boards')`,
      'ALTER TABLE "boards" ADD CONSTRAINT "fk_boards_shelf_id" FOREIGN KEY ("shelf_id") REFERENCES "shelves" ("id") ON DELETE CASCADE',
    ]);
  });

  it('is local for a table with a unique key that lacks the distribution column, and the reason names both', () => {
    const [toys] = placed(Toy).filter(({ table }) => table === 'toys');
    expect(toys).toMatchObject({ place: 'local', column: null });
    expect(toys?.reason).toBe(
      'No worker could check alone that uq_toys_label is unique, because it does not contain id.',
    );
  });

  it('is every machine for a table that another table, or it itself, refers to', () => {
    const found = placed(Toy, Stall, Aisle);
    expect(new Map(briefly(found).map(([table, ...rest]) => [table, rest]))).toEqual(
      new Map([
        ['shelves', ['local', null, null]],
        ['boards', ['local', null, null]],
        ['toys', ['reference', null, null]],
        ['stalls', ['reference', null, null]],
        ['aisles', ['distributed', 'id', null]],
      ]),
    );
    expect(found.find(({ table }) => table === 'toys')?.reason).toBe(
      'aisles.toy_id refers to it and needs its rows on every machine.',
    );
    expect(briefly(placed(Stall)).find(([table]) => table === 'stalls')?.[1]).toBe('reference');
  });

  it('is listed after the tables that the table refers to, so that tables can be moved in order', () => {
    const names = placed(Aisle, Shelf).map(({ table }) => table);
    for (const [first, second] of [
      ['stalls', 'aisles'],
      ['toys', 'aisles'],
      ['shelves', 'boards'],
    ]) {
      expect(names.indexOf(first as string)).toBeLessThan(names.indexOf(second as string));
    }
  });

  it('is every machine for the parts of rows of which every machine has a copy', async () => {
    const entities = [Shelf, Board, Label];
    const referred = await createDataSource(SETTINGS, [
      { owner: 'Spec', entities, migrations: [] },
    ]).initialize();
    const found = placementsOf(referred, [
      { entity: Shelf, by: 'id' },
      { entity: Label, by: 'id' },
    ]).filter(({ place }) => place !== 'local');
    expect(new Map(found.map(({ table, place }) => [table, place]))).toEqual(
      new Map([
        ['shelves', 'reference'],
        ['boards', 'reference'],
        ['labels', 'distributed'],
      ]),
    );
    expect(statementsFor(referred, found)).toEqual(
      expect.arrayContaining([
        `SELECT create_reference_table('boards')`,
        `SELECT create_distributed_table('labels', 'id', colocate_with => 'none')`,
      ]),
    );
    await referred.destroy();
  });
});
