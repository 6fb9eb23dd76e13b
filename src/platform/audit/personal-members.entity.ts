import { Entity, Index, PrimaryColumn } from 'typeorm';
import { INT64, TextColumn } from '../database/column-types';

/** The members of an audit event that identify a person, and whom. An erasure overwrites them and deletes the row. */
@Entity('personal_members')
@Index('idx_personal_members_subject', ['subjectType', 'subjectId', 'eventId'])
export class PersonalMembers {
  @PrimaryColumn({ ...INT64, name: 'event_id', primaryKeyConstraintName: 'pk_personal_members' })
  eventId!: bigint;

  /** Type of the subject that they are erased with. */
  @TextColumn({ name: 'subject_type' })
  subjectType!: string;

  @TextColumn({ name: 'subject_id' })
  subjectId!: string;

  /** Names of members of before and after, separated by commas. */
  @TextColumn()
  members!: string;
}
