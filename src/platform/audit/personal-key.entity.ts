import { Entity, PrimaryColumn } from 'typeorm';
import { TextColumn } from '../database/column-types';

const PRIMARY_KEY = 'pk_personal_keys';

/** The key of a subject's encrypted values. Only version 1.1.0 has added rows; an erasure deletes the row. */
@Entity('personal_keys')
export class PersonalKey {
  @PrimaryColumn({ type: 'text', name: 'subject_type', primaryKeyConstraintName: PRIMARY_KEY })
  subjectType!: string;

  @PrimaryColumn({ type: 'text', name: 'subject_id', primaryKeyConstraintName: PRIMARY_KEY })
  subjectId!: string;

  /** 32 random bytes in base64url. */
  @TextColumn()
  key!: string;
}
