import { Entity, Index } from 'typeorm';
import {
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  TextColumn,
} from '../../../platform/database/column-types';

/** Records that a batch of an import added, without those undone since. Kept for as long as the import can be undone. */
@Entity('import_batches')
@Index('idx_import_batches_run_id_id', ['runId', 'id'])
@Index('idx_import_batches_at', ['at'])
export class ImportBatch {
  @GeneratedInt64Key('pk_import_batches')
  id!: bigint;

  @Int64Column({ name: 'run_id' })
  runId!: bigint;

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
}
