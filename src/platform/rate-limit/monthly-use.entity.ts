import { Entity, PrimaryColumn } from 'typeorm';
import { DateColumn, IntegerColumn } from '../database/column-types';

/** Number of requests that were let in for a client with a monthly quota, in the last month in which it made any. */
@Entity('monthly_uses')
export class MonthlyUse {
  @PrimaryColumn({ type: 'text', name: 'lineage_id', primaryKeyConstraintName: 'pk_monthly_uses' })
  lineageId!: string;

  /** First day of the month, in UTC. */
  @DateColumn()
  month!: string;

  @IntegerColumn()
  used!: number;
}
