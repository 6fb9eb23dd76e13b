import { Entity, Index } from 'typeorm';
import {
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  TextColumn,
} from '../../../platform/database/column-types';

/** Records that a batch of an import added, without those undone since, and rows that it refused. */
@Entity('import_batches')
@Index('idx_import_batches_run_id_id', ['runId', 'id'])
@Index('idx_import_batches_at', ['at'])
export class ImportBatch {
  @GeneratedInt64Key('pk_import_batches')
  id!: bigint;

  /** Number of the import. */
  @Int64Column({ name: 'run_id' })
  runId!: bigint;

  /** Time from which it is kept for as long as the import can be undone, and refused rows can be downloaded. */
  @InstantColumn()
  at!: Date;

  /** Number of {@link ids}. */
  @IntegerColumn()
  records!: number;

  /** Records still to be looked at by an undo, as `idRanges` writes them. */
  @TextColumn()
  ids!: string;

  /** Versions of {@link ids} when they were added, in the order of the ids: of each the first characters. */
  @TextColumn()
  versions!: string;

  /** Records that an undo left alone, as JSON of an array. */
  @TextColumn({ name: 'left_alone', nullable: true })
  leftAlone!: string | null;

  /** Length of {@link refused}. */
  @IntegerColumn({ name: 'refused_size' })
  refusedSize!: number;

  /** Refused rows with their reasons, as a part of the file that can be downloaded. */
  @TextColumn({ nullable: true })
  refused!: string | null;
}
