import { Entity, ForeignKey, Index } from 'typeorm';
import {
  CreatedAtColumn,
  DateColumn,
  GeneratedInt64Key,
  Int64Column,
  TextColumn,
} from '../../../src/platform/database/column-types';

/** A dental check of a pet, as stored. A certificate is short, so its index covers all of it. */
@Entity('dental_checks')
@Index('uq_dental_checks_certificate', ['certificate'], { unique: true })
@Index('idx_dental_checks_pet_id_id', ['petId', 'id'])
@Index('idx_dental_checks_created_at_id', ['createdAt', 'id'])
export class DentalCheck {
  @GeneratedInt64Key('pk_dental_checks')
  id!: bigint;

  @Int64Column({ name: 'pet_id' })
  @ForeignKey('Pet', { name: 'fk_dental_checks_pet_id' })
  petId!: bigint;

  @TextColumn()
  certificate!: string;

  @DateColumn({ name: 'given_on' })
  givenOn!: string;

  @DateColumn({ name: 'due_on', nullable: true })
  dueOn!: string | null;

  @Int64Column({ name: 'companion_id', nullable: true })
  @ForeignKey('Pet', { name: 'fk_dental_checks_companion_id' })
  companionId!: bigint | null;

  @CreatedAtColumn()
  createdAt?: Date | null;
}
