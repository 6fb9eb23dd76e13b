import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export enum PetStatus {
  Available = 'available',
  Pending = 'pending',
  Sold = 'sold',
}

@Entity('pets')
@Index(['status', 'id'])
export class Pet {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  name!: string;

  @Column({ name: 'category_id' })
  categoryId!: number;

  @Column({ type: 'varchar', nullable: true })
  status?: PetStatus;
}
