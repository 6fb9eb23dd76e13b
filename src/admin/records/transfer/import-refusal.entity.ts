import { Entity, Index } from 'typeorm';
import {
  GeneratedInt64Key,
  InstantColumn,
  Int64Column,
  IntegerColumn,
  TextColumn,
} from '../../../platform/database/column-types';

/** Rows that a batch of an import by version 1.1.0 refused; later versions keep them in the {@link ImportBatch}. */
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

  @IntegerColumn({ name: 'size' })
  refusedSize!: number;

  @TextColumn({ name: 'text' })
  refused!: string;
}
