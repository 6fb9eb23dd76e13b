import { Entity, PrimaryColumn } from 'typeorm';
import { TextColumn } from '../../platform/database/column-types';

const PRIMARY_KEY = 'pk_person_choices';

/** Columns of a list or time zone that a person chose. Only version 1.1.0 has added rows; an erasure deletes them. */
@Entity('person_choices')
export class PersonChoice {
  /** The lineage that the sessions of a person, or of the keys of one chain of rotations, have in common. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PRIMARY_KEY })
  owner!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PRIMARY_KEY })
  name!: string;

  @TextColumn()
  value!: string;
}
