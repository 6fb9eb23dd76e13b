import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { TextColumn } from '../../../../src/platform/database/column-types.ts';

/** A table, as it is at first. */
@Entity('gm_hens')
export class Hen {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'int', nullable: true })
  nestId!: number | null;
}

/** The same table, grown. */
@Entity('gm_hens')
@Index('idx_gm_hens_name', ['name'])
@Unique('uq_gm_hens_name_nest', ['name', 'nestId'])
@Check('chk_gm_hens_name', `"name" <> ''`)
export class NamedHen {
  @PrimaryGeneratedColumn()
  id!: number;

  @ForeignKey('NamedHen', { name: 'fk_gm_hens_nest' })
  @Column({ type: 'int', nullable: true })
  nestId!: number | null;

  @TextColumn({ nullable: true })
  name!: string | null;

  @Column({ default: true })
  lays!: boolean;
}

/** The same table, where each nest has one hen. */
@Entity('gm_hens')
@Index('uq_gm_hens_nest', ['nestId'], { unique: true })
export class NestingHen {
  @PrimaryGeneratedColumn()
  id!: number;

  @ForeignKey('NestingHen', { name: 'fk_gm_hens_nest' })
  @Column({ type: 'int', nullable: true })
  nestId!: number | null;
}

/** The same table, with what nodes of the version before do not survive. */
@Entity('gm_hens')
export class RequiredHen {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'int', nullable: true })
  nestId!: number | null;

  @Column()
  name!: string;
}

@Entity('gm_hens')
export class ShrunkHen {
  @PrimaryGeneratedColumn()
  id!: number;
}

@Entity('gm_clocks')
export class Clock {
  @PrimaryColumn()
  id!: number;

  @Column('timetz')
  at!: string;
}

/** The same table, whose column refers to a table made at the same time, which refers back. */
@Entity('gm_hens')
export class HousedHen {
  @PrimaryGeneratedColumn()
  id!: number;

  @ForeignKey('House', { name: 'fk_gm_hens_house' })
  @Column({ type: 'int', nullable: true })
  nestId!: number | null;
}

@Entity('gm_houses')
export class House {
  @PrimaryGeneratedColumn()
  id!: number;

  @ForeignKey('Street', { name: 'fk_gm_houses_street' })
  @Column({ type: 'int', nullable: true })
  streetId!: number | null;
}

@Entity('gm_streets')
export class Street {
  @PrimaryGeneratedColumn()
  id!: number;

  @ForeignKey('House', { name: 'fk_gm_streets_first' })
  @Column({ type: 'int', nullable: true })
  firstId!: number | null;
}

@Entity('gm_tags')
export class Tag {
  @PrimaryColumn({ type: 'int' })
  code!: number;

  @Column({ type: 'int', nullable: true })
  parentCode!: number | null;
}

/** The same table, with demands on rows that have no ids. */
@Entity('gm_tags')
@Index('uq_gm_tags_parent', ['parentCode'], { unique: true })
export class ParentTag {
  @PrimaryColumn({ type: 'int' })
  code!: number;

  @ForeignKey('ParentTag', 'code', { name: 'fk_gm_tags_parent' })
  @Column({ type: 'int', nullable: true })
  parentCode!: number | null;
}

/** The same table, whose hens refer to a row by another column than its id. */
@Entity('gm_hens')
export class TaggedHen {
  @PrimaryGeneratedColumn()
  id!: number;

  @ForeignKey('Tag', 'code', { name: 'fk_gm_hens_tag' })
  @Column({ type: 'int', nullable: true })
  nestId!: number | null;
}

/** The same table, unique among rows that a new column tells. */
@Entity('gm_hens')
@Index('uq_gm_hens_nest', ['nestId'], { unique: true, where: '"lays"' })
export class LayingHen {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'int', nullable: true })
  nestId!: number | null;

  @Column({ default: true })
  lays!: boolean;
}
