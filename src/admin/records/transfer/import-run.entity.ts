import { Entity, Unique } from 'typeorm';
import {
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  TextColumn,
} from '../../../platform/database/column-types';

/** How far an import has come; written in the transaction of each of its batches. */
@Entity('import_runs')
@Unique('uq_import_runs_content', ['kind', 'format', 'digest', 'round'])
export class ImportRun {
  @GeneratedInt64Key('pk_import_runs')
  id!: bigint;

  /** The records, as `pets`. */
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

  /** As {@link Actor.name}. */
  @TextColumn({ name: 'started_by' })
  startedBy!: string;

  @InstantColumn({ name: 'started_at' })
  startedAt!: Date;

  /** Rows that are done with, from the first. */
  @Int64Column()
  rows!: bigint;

  @Int64Column()
  imported!: bigint;

  @Int64Column()
  refused!: bigint;

  /** Bytes of the file of refused rows that belong to {@link rows}. */
  @Int64Column({ name: 'rejects_size' })
  rejectsSize!: bigint;

  /** The process that imports; null when none does. */
  @TextColumn({ nullable: true })
  holder!: string | null;

  /** From then on the holder counts as ended, unless it stored another batch. */
  @InstantColumn({ name: 'held_until' })
  heldUntil!: Date;

  @InstantColumn({ name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
