import { Entity, ForeignKey, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
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
} from '../../../src/platform/database/column-types';

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

/** A row that owns others. */
@Entity('invoices')
export class Invoice {
  @GeneratedInt64Key('pk_invoices')
  id!: bigint;

  @TextColumn()
  customer!: string;

  @OneToMany('InvoiceLine', 'invoice', { cascade: true })
  lines!: InvoiceLine[];
}

/** A row that another one owns, with each kind of column. */
@Entity('invoice_lines')
export class InvoiceLine {
  @PrimaryColumn({ name: 'invoice_id', type: 'bigint', primaryKeyConstraintName: 'pk_invoice_lines' })
  invoiceId?: bigint;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'pk_invoice_lines' })
  position?: number;

  @ManyToOne('Invoice', 'lines', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'invoice_id', foreignKeyConstraintName: 'fk_invoice_lines_invoice_id' })
  invoice?: Invoice;

  @Int64Column({ name: 'fee_id', nullable: true })
  @ForeignKey('Invoice', { name: 'fk_invoice_lines_fee_id' })
  feeId?: bigint;

  @TextColumn({ nullable: true })
  label?: string;

  @Int64Column({ nullable: true })
  amount?: bigint;

  @IntegerColumn({ nullable: true })
  count?: number;

  @DoubleColumn({ nullable: true })
  ratio?: number;

  @DecimalColumn({ precision: 15, scale: 2 }, { nullable: true })
  price?: string;

  @BooleanColumn({ nullable: true })
  flag?: boolean;

  @DateColumn({ nullable: true })
  day?: string;

  @InstantColumn({ nullable: true })
  at?: Date;

  @UuidColumn({ nullable: true })
  token?: string;
}
