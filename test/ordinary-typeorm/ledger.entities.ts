import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';

@Entity('ol_accounts')
export class Account {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'int', default: 0 })
  balance!: number;

  @VersionColumn()
  version!: number;

  @OneToMany(() => Entry, (entry) => entry.account)
  entries!: Entry[];
}

@Entity('ol_entries')
export class Entry {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ type: 'int' })
  amount!: number;

  @Column()
  note!: string;

  @ManyToOne(() => Account, (account) => account.entries, { nullable: false })
  account!: Account;
}

/** What a subscriber has seen inserted. */
@Entity('ol_sightings')
export class Sighting {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column()
  note!: string;
}
