import { Entity, Unique } from 'typeorm';
import {
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  RETIRED,
  TextColumn,
} from '../../../platform/database/column-types';

/** Progress of an import, written in the transaction of each of its batches. */
@Entity('import_runs')
@Unique('uq_import_runs_content', ['kind', 'format', 'digest', 'round'])
export class ImportRun {
  @GeneratedInt64Key('pk_import_runs')
  id!: bigint;

  /** The record type, for example `pets`. */
  @TextColumn()
  kind!: string;

  @TextColumn()
  format!: string;

  /** SHA-256 of the file, in hexadecimal digits. */
  @TextColumn()
  digest!: string;

  /** 1 for the first import of this content, 2 for the second. */
  @IntegerColumn()
  round!: number;

  @TextColumn({ name: 'file_name' })
  fileName!: string;

  /** Name of the actor, see {@link Actor.name}. */
  @TextColumn({ name: 'started_by' })
  startedBy!: string;

  @InstantColumn({ name: 'started_at' })
  startedAt!: Date;

  /** Rows processed, from the first. */
  @Int64Column()
  rows!: bigint;

  @Int64Column()
  imported!: bigint;

  @Int64Column()
  refused!: bigint;

  @Int64Column({ name: 'rejects_size', default: 0, ...RETIRED })
  rejectsSize?: bigint;

  /** Run of the job that imports the file or undoes that, or did so last; null until the first has begun. */
  @Int64Column({ nullable: true })
  job!: bigint | null;

  @InstantColumn({ name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  /** The name of the {@link Actor} who undoes the import, as JSON: `{"name":"cli:jo"}`; null if nobody has. */
  @TextColumn({ name: 'undo_actor', nullable: true })
  undoActor!: string | null;

  /** Records that were removed again. */
  @Int64Column({ nullable: true })
  undone!: bigint | null;

  /** Records that the undo left alone. */
  @Int64Column({ name: 'left_alone', nullable: true })
  leftAlone!: bigint | null;

  /** Time at which the undo ended. */
  @InstantColumn({ name: 'undone_at', nullable: true })
  undoneAt!: Date | null;
}
