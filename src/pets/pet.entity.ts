import { Check, Entity, Index } from 'typeorm';
import { GeneratedInt64Key, Int64Column, TextColumn } from '../platform/database/column-types';
import { PetStatus } from './pet-status';

/** One animal, as stored. */
@Entity('pets')
@Index('idx_pets_status_id', ['status', 'id'])
@Check('chk_pets_status', `"status" IN ('available', 'pending', 'sold')`)
export class Pet {
  @GeneratedInt64Key('pk_pets')
  id!: bigint;

  @TextColumn()
  name!: string;

  @Int64Column({ name: 'category_id' })
  categoryId!: bigint;

  @TextColumn({ nullable: true })
  status!: PetStatus | null;
}
