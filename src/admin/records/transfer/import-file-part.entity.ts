import { Entity, Index, PrimaryColumn } from 'typeorm';
import { BytesColumn, INT64, InstantColumn } from '../../../platform/database/column-types';

const PRIMARY_KEY = 'pk_import_file_parts';

/** A part of the file of an import that has not ended. */
@Entity('import_file_parts')
@Index('idx_import_file_parts_at', ['at'])
export class ImportFilePart {
  /** Number of the import. */
  @PrimaryColumn({ ...INT64, name: 'run_id', primaryKeyConstraintName: PRIMARY_KEY })
  runId!: bigint;

  /** 0 for the first part of the file. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: PRIMARY_KEY })
  position!: number;

  /** Time at which it was stored. */
  @InstantColumn()
  at!: Date;

  @BytesColumn()
  bytes!: Buffer;
}
