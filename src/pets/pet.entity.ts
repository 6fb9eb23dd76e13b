import { Check, Entity, Index } from 'typeorm';
import {
  CreatedAtColumn,
  GeneratedInt64Key,
  Int64Column,
  RemovedAtColumn,
  TextColumn,
} from '@petstore/platform';
import { PetStatus } from './pet-status';

/** Rows of most lists: an index of theirs never passes over removed rows, however many there are. */
const PRESENT = { where: '"removed_at" IS NULL' };
const REMOVED = { where: '"removed_at" IS NOT NULL' };

/** One animal, as stored. */
@Entity('pets')
@Index('idx_pets_present_id', ['id'], PRESENT)
@Index('idx_pets_present_status_id', ['status', 'id'], PRESENT)
@Index('idx_pets_present_category_id_id', ['categoryId', 'id'], PRESENT)
@Index('idx_pets_present_created_at_id', ['createdAt', 'id'], PRESENT)
@Index('idx_pets_removed_id', ['id'], REMOVED)
@Index('idx_pets_removed_status_id', ['status', 'id'], REMOVED)
@Index('idx_pets_removed_category_id_id', ['categoryId', 'id'], REMOVED)
@Index('idx_pets_removed_created_at_id', ['createdAt', 'id'], REMOVED)
@Check('chk_pets_status', `"status" IN ('available', 'pending', 'sold')`)
export class Pet {
  @GeneratedInt64Key('pk_pets')
  id!: bigint;

  @Index('idx_pets_name_id', { synchronize: false })
  @TextColumn()
  name!: string;

  @Int64Column({ name: 'category_id' })
  categoryId!: bigint;

  @TextColumn({ nullable: true })
  status!: PetStatus | null;

  @CreatedAtColumn()
  createdAt?: Date | null;

  @RemovedAtColumn()
  removedAt?: Date | null;
}
