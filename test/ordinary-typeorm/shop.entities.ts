import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  Index,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';

@Entity('ot_shops')
export class Shop {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ unique: true })
  name!: string;

  @Column({ type: 'int', default: 0 })
  visits!: number;

  @Column({ default: true })
  isOpen!: boolean;

  @Column('simple-json', { nullable: true })
  hours!: { from: number; to: number } | null;

  @Column('simple-array', { nullable: true })
  labels!: string[] | null;

  @CreateDateColumn()
  createdAt!: Date;

  @UpdateDateColumn()
  updatedAt!: Date;

  @DeleteDateColumn()
  deletedAt!: Date | null;

  @VersionColumn()
  version!: number;

  @OneToMany(() => Sale, (sale) => sale.shop, { cascade: true })
  sales!: Sale[];
}

@Entity('ot_sales')
export class Sale {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column({ type: 'int' })
  amount!: number;

  @Column({ type: 'blob', nullable: true })
  receipt!: Buffer | null;

  @Index()
  @Column({ type: 'bigint', nullable: true })
  petId!: bigint | null;

  @ManyToOne(() => Shop, (shop) => shop.sales, { nullable: false, onDelete: 'RESTRICT' })
  shop!: Shop;
}
