import { Entity, Index, PrimaryColumn } from 'typeorm';
import { INT64, TextColumn } from '../database/column-types';

const PRIMARY_KEY = 'pk_personal_values';

/** An encrypted value of an audit event. Only version 1.1.0 has added rows; an erasure deletes the row. */
@Entity('personal_values')
@Index('idx_personal_values_subject', ['subjectType', 'subjectId'])
export class PersonalValue {
  @PrimaryColumn({ ...INT64, name: 'event_id', primaryKeyConstraintName: PRIMARY_KEY })
  eventId!: bigint;

  /** Position of the value in its event: `actorName`, `address`, `before.<member>` or `after.<member>`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PRIMARY_KEY })
  member!: string;

  /** Type of the subject that the value is erased with. */
  @TextColumn({ name: 'subject_type' })
  subjectType!: string;

  @TextColumn({ name: 'subject_id' })
  subjectId!: string;

  /** Salt and value, encrypted with the key of the subject. */
  @TextColumn()
  sealed!: string;
}
