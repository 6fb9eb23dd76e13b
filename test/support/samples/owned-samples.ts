import { Entity, ForeignKey, Index, ManyToOne, OneToMany, PrimaryColumn, JoinColumn } from 'typeorm';
import {
  GeneratedInt64Key,
  Int64Column,
  IntegerColumn,
  OwnerColumn,
  RemovedAtColumn,
  TextColumn,
} from '../../../src/platform/database/column-types';

/** A row that belongs to a client. */
@Entity('parcels')
@Index('idx_parcels_owner_id_id', ['ownerId', 'id'])
@Index('uq_parcels_owner_id_label', ['ownerId', 'label'], { unique: true })
@Index('idx_parcels_weight_id', ['weight', 'id'])
@Index('idx_parcels_owner_id_weight_id', ['ownerId', 'weight', 'id'])
@Index('idx_parcels_owner_id_label_id', ['ownerId', 'label'], { synchronize: false })
export class Parcel {
  @GeneratedInt64Key('pk_parcels')
  id!: bigint;

  @OwnerColumn()
  ownerId?: string;

  @TextColumn()
  @Index('idx_parcels_label_id', { synchronize: false })
  label!: string;

  @IntegerColumn()
  weight!: number;

  @RemovedAtColumn()
  removedAt?: Date | null;
}

/** A row that belongs to a client, in lists of several orders. */
@Entity('crates')
@Index('idx_crates_owner_id_id', ['ownerId', 'id'])
@Index('idx_crates_weight_id', ['weight', 'id'])
@Index('idx_crates_owner_id_weight_id', ['ownerId', 'weight', 'id'])
@Index('idx_crates_owner_id_label_id', ['ownerId', 'label'], { synchronize: false })
export class Crate {
  @GeneratedInt64Key('pk_crates')
  id!: bigint;

  @OwnerColumn()
  ownerId?: string;

  @TextColumn()
  @Index('idx_crates_label', { synchronize: false })
  label!: string;

  @Int64Column()
  weight!: bigint;

  @RemovedAtColumn()
  removedAt?: Date | null;
}

/** A row without an owner of its own that refers to one with an owner. */
@Entity('parcel_notes')
export class ParcelNote {
  @GeneratedInt64Key('pk_parcel_notes')
  id!: bigint;

  @Int64Column({ name: 'parcel_id' })
  @ForeignKey('Parcel', { name: 'fk_parcel_notes_parcel_id' })
  parcelId!: bigint;
}

/** A row that belongs to whom the key was given to, with parts that refer to rows of others. */
@Entity('shipments')
@Index('idx_shipments_tenant_id', ['tenant', 'id'])
export class Shipment {
  @GeneratedInt64Key('pk_shipments')
  id!: bigint;

  @OwnerColumn(({ owner }) => owner)
  tenant?: string;

  @OneToMany('ShipmentItem', 'shipment', { cascade: true })
  items!: ShipmentItem[];
}

@Entity('shipment_items')
export class ShipmentItem {
  @PrimaryColumn({ name: 'shipment_id', type: 'bigint', primaryKeyConstraintName: 'pk_shipment_items' })
  shipmentId?: bigint;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'pk_shipment_items' })
  position?: number;

  @Int64Column({ name: 'parcel_id' })
  @ForeignKey('Parcel', { name: 'fk_shipment_items_parcel_id' })
  parcelId!: bigint;

  @ManyToOne('Shipment', 'items', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'shipment_id', foreignKeyConstraintName: 'fk_shipment_items_shipment_id' })
  shipment?: Shipment;
}

/** A row that is linked with rows of others, in an order. */
@Entity('pallets')
export class Pallet {
  @GeneratedInt64Key('pk_pallets')
  id!: bigint;

  @TextColumn()
  label!: string;

  @OneToMany('PalletParcel', 'pallet', { cascade: true })
  parcels!: bigint[];
}

@Entity('pallet_parcels')
@Index('idx_pallet_parcels_parcel_id', ['parcelId'])
export class PalletParcel {
  @PrimaryColumn({ name: 'pallet_id', type: 'bigint', primaryKeyConstraintName: 'pk_pallet_parcels' })
  palletId!: bigint;

  @PrimaryColumn({ name: 'parcel_id', type: 'bigint', primaryKeyConstraintName: 'pk_pallet_parcels' })
  @ForeignKey('Parcel', { name: 'fk_pallet_parcels_parcel_id' })
  parcelId!: bigint;

  @IntegerColumn()
  position!: number;

  @ManyToOne('Pallet', 'parcels', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'pallet_id', foreignKeyConstraintName: 'fk_pallet_parcels_pallet_id' })
  pallet?: Pallet;
}

export const OWNED_SAMPLES = [Parcel, Crate, ParcelNote, Shipment, ShipmentItem, Pallet, PalletParcel];
