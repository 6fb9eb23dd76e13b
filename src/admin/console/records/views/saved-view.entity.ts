import { Entity, Index, Unique } from 'typeorm';
import {
  BooleanColumn,
  GeneratedInt64Key,
  InstantColumn,
  TextColumn,
} from '../../../../platform/database/column-types';

/** A list of records under a name: its filter, its order and its columns. */
@Entity('saved_views')
@Unique('uq_saved_views_owner_kind_name', ['owner', 'kind', 'name'])
@Index('idx_saved_views_kind_is_shared', ['kind', 'isShared'])
export class SavedView {
  @GeneratedInt64Key('pk_saved_views')
  id!: bigint;

  /** The records, as `pets`. */
  @TextColumn()
  kind!: string;

  @TextColumn()
  name!: string;

  /** The query of the list's address. */
  @TextColumn()
  query!: string;

  /** Whose it is: what the sessions of a person, or of the keys of one chain of rotations, have in common. */
  @TextColumn()
  owner!: string;

  /** What the owner was called when it was made. */
  @TextColumn({ name: 'owner_name' })
  ownerName!: string;

  /** Whether all operators have it. */
  @BooleanColumn({ name: 'is_shared' })
  isShared!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: Date;
}
