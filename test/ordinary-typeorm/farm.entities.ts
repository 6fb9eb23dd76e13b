import {
  BeforeInsert,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  Index,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryGeneratedColumn,
  RelationId,
  Tree,
  TreeChildren,
  TreeParent,
  Unique,
  VersionColumn,
} from 'typeorm';
import { BytesColumn } from '../../src/platform/database/column-types';

export class Address {
  @Column()
  street!: string;

  @Column({ unique: true })
  plot!: string;
}

@Entity('of_owners')
export class Owner {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  name!: string;
}

@Entity('of_crops')
export class Crop {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ unique: true })
  name!: string;

  @Column({ type: 'int', default: 0 })
  price!: number;
}

@Entity('of_emblems')
export class Emblem {
  @PrimaryGeneratedColumn()
  id!: number;

  @BytesColumn({ nullable: true })
  image!: Buffer | null;
}

/** No index or constraint has a name of its own. */
@Entity('of_farms')
@Unique(['name', 'region'])
export class Farm {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column()
  name!: string;

  @Column({ default: 'north' })
  region!: string;

  @Index({ unique: true })
  @Column({ type: 'varchar', nullable: true })
  code!: string | null;

  @Column({ type: 'simple-enum', enum: ['dairy', 'grain'], default: 'dairy' })
  kind!: 'dairy' | 'grain';

  @Column('double precision', { default: 0 })
  acres!: number;

  @Column(() => Address)
  address!: Address;

  @CreateDateColumn()
  createdAt!: Date;

  @DeleteDateColumn()
  deletedAt!: Date | null;

  @VersionColumn()
  version!: number;

  @OneToOne(() => Owner, { cascade: true, nullable: true })
  @JoinColumn()
  owner!: Owner | null;

  @RelationId((farm: Farm) => farm.owner)
  ownerId!: number | null;

  @OneToMany(() => Animal, (animal) => animal.farm, { cascade: true })
  animals!: Animal[];

  @ManyToMany(() => Crop, { cascade: ['insert'] })
  @JoinTable({ name: 'of_farm_crops' })
  crops!: Crop[];

  @BeforeInsert()
  trim() {
    this.name = this.name.trim();
  }
}

@Entity('of_animals')
export class Animal {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  name!: string;

  @Column({ nullable: true })
  born!: Date;

  @Column('int')
  weight!: number;

  @ManyToOne(() => Farm, (farm) => farm.animals, { onDelete: 'CASCADE', orphanedRowAction: 'delete' })
  farm!: Farm;
}

@Entity('of_areas')
@Tree('closure-table')
export class Area {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  name!: string;

  @TreeChildren({ cascade: true })
  children!: Area[];

  @TreeParent()
  parent!: Area | null;
}

@Entity('of_paths')
@Tree('materialized-path')
export class Path {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  name!: string;

  @TreeChildren({ cascade: true })
  children!: Path[];

  @TreeParent()
  parent!: Path | null;
}
