import { Entity, Index, Unique } from 'typeorm';
import {
  BooleanColumn,
  GeneratedInt64Key,
  InstantColumn,
  TextColumn,
} from '../../../../platform/database/column-types';

/** A list of records saved under a name: its filter, its order and its columns. */
@Entity('saved_views')
@Unique('uq_saved_views_owner_kind_name', ['owner', 'kind', 'name'])
@Index('idx_saved_views_kind_is_shared', ['kind', 'isShared'])
export class SavedView {
  @GeneratedInt64Key('pk_saved_views')
  id!: bigint;

  /** The record type, for example `pets`. */
  @TextColumn()
  kind!: string;

  @TextColumn()
  name!: string;

  /** The query of the list's address. */
  @TextColumn()
  query!: string;

  /** The owner: the lineage that the sessions of a person, or of the keys of one chain of rotations, have in common. */
  @TextColumn()
  owner!: string;

  /** The owner's name at the time the view was saved. */
  @TextColumn({ name: 'owner_name' })
  ownerName!: string;

  /** True if all operators may use the view. */
  @BooleanColumn({ name: 'is_shared' })
  isShared!: boolean;

  @InstantColumn({ name: 'created_at' })
  createdAt!: Date;
}
