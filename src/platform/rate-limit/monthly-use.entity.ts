import { Entity, PrimaryColumn } from 'typeorm';
import { DateColumn, IntegerColumn } from '../database/column-types';

/** How many requests of a client with a monthly quota were let in, in the last month that it made any. */
@Entity('monthly_uses')
export class MonthlyUse {
  @PrimaryColumn({ type: 'text', name: 'lineage_id', primaryKeyConstraintName: 'pk_monthly_uses' })
  lineageId!: string;

  /** The first day of the month, in UTC. */
  @DateColumn()
  month!: string;

  @IntegerColumn()
  used!: number;
}
