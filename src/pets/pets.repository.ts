import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { EntityTable, type New, type PageWindow } from '../platform/database/entity-table';
import { Pet } from './pet.entity';

/** What the list of pets can be filtered by. */
export type PetsFilter = Partial<Pick<Pet, 'status'>>;

/** Pets in the database. */
@Injectable()
export class PetsRepository {
  private readonly pets = new EntityTable(this.database, Pet);

  constructor(private readonly database: Database) {}

  /** Pets of one page, in ascending order of their identifiers. */
  list(window: PageWindow, filter: PetsFilter): Promise<Pet[]> {
    return this.pets.page(window, filter);
  }

  find(id: bigint): Promise<Pet | null> {
    return this.pets.find(id);
  }

  /** The pet as it is, which nobody else can change until the transaction in progress ends. */
  findLocked(id: bigint): Promise<Pet | null> {
    return this.pets.findLocked(id);
  }

  /** Stores a pet; outside a transaction it is durable when the promise resolves. */
  insert(pet: New<Pet>): Promise<Pet> {
    return this.pets.insert(pet);
  }

  update(pet: Pet): Promise<Pet> {
    return this.pets.update(pet);
  }

  /**
   * @returns whether it was there
   * @throws StillReferencedError
   */
  delete(id: bigint): Promise<boolean> {
    return this.pets.delete(id);
  }

  /** @returns whether it had been removed */
  restore(id: bigint): Promise<boolean> {
    return this.pets.restore(id);
  }

  /** Stores many pets in one transaction: all of them or none. */
  insertMany(pets: readonly New<Pet>[]): Promise<Pet[]> {
    return this.pets.insertMany(pets);
  }
}
