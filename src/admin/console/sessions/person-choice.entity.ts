import { Entity, PrimaryColumn } from 'typeorm';
import { TextColumn } from '../../../platform/database/column-types';

/** A choice of how a person sees the console: the time zone, or the columns of a list. */
@Entity('person_choices')
export class PersonChoice {
  /** The owner: the lineage that the sessions of a person, or of the keys of one chain of rotations, have in common. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_person_choices' })
  owner!: string;

  /** The subject of the choice: `time-zone`, `columns/pets`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_person_choices' })
  name!: string;

  @TextColumn()
  value!: string;
}
