import { Entity, Index } from 'typeorm';
import {
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  TextColumn,
} from '../../../platform/database/column-types';

/** Refused rows of one batch of an import, as a part of the file that can be downloaded. */
@Entity('import_refusals')
@Index('idx_import_refusals_run_id_id', ['runId', 'id'])
@Index('idx_import_refusals_at', ['at'])
export class ImportRefusal {
  @GeneratedInt64Key('pk_import_refusals')
  id!: bigint;

  @Int64Column({ name: 'run_id' })
  runId!: bigint;

  @InstantColumn()
  at!: Date;

  /** Length of {@link text}. */
  @IntegerColumn()
  size!: number;

  @TextColumn()
  text!: string;
}
