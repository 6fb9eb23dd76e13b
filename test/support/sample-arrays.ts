import { Entity } from 'typeorm';
import {
  BooleanColumn,
  DateColumn,
  DecimalColumn,
  DoubleColumn,
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  TextColumn,
  UuidColumn,
} from '../../src/platform/database/column-types';

/** A row with an array of each kind of column; the first is always there. */
@Entity('baskets')
export class Basket {
  @GeneratedInt64Key('pk_baskets')
  id!: bigint;

  @TextColumn({ array: true })
  labels!: string[];

  @Int64Column({ array: true, nullable: true })
  amounts!: bigint[] | null;

  @IntegerColumn({ array: true, nullable: true })
  counts!: number[] | null;

  @DoubleColumn({ array: true, nullable: true })
  ratios!: number[] | null;

  @DecimalColumn({ precision: 15, scale: 2 }, { array: true, nullable: true })
  prices!: string[] | null;

  @BooleanColumn({ array: true, nullable: true })
  flags!: boolean[] | null;

  @DateColumn({ array: true, nullable: true })
  days!: string[] | null;

  @InstantColumn({ array: true, nullable: true })
  times!: Date[] | null;

  @UuidColumn({ array: true, nullable: true })
  tokens!: string[] | null;
}
