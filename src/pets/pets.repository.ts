import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../platform/database/database';
import { parameter } from '../platform/database/statement';
import type { PageWindow } from '../platform/http/page-query';
import { Pet } from './pet.entity';
import type { PetStatus } from './pet-status';

/** What is stored of a new pet. */
export type NewPet = Omit<Pet, 'id'>;

/** Pets in the database. */
@Injectable()
export class PetsRepository {
  private readonly all = this.database.prepare<Pet>((manager) => selectPets(manager), 'LIMIT :limit');

  private readonly withStatus = this.database.prepare<Pet>(
    (manager) => selectPets(manager).andWhere('pet.status = :status', { status: parameter('status') }),
    'LIMIT :limit',
  );

  private readonly byId = this.database.prepare<Pet>((manager) =>
    selectColumns(manager).where('pet.id = :id', { id: parameter('id') }),
  );

  private readonly insertion = this.database.prepare<Pick<Pet, 'id'>>(
    (manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(Pet)
        .values({ name: parameter('name'), categoryId: parameter('categoryId'), status: parameter('status') })
        .updateEntity(false),
    'RETURNING "id"',
  );

  constructor(private readonly database: Database) {}

  /** Pets after an identifier, ascending, of one status or of any. */
  list(window: PageWindow, status: PetStatus | undefined): Promise<Pet[]> {
    return status === undefined
      ? this.database.query(this.all, { ...window })
      : this.database.query(this.withStatus, { ...window, status });
  }

  async find(id: bigint): Promise<Pet | null> {
    const [pet] = await this.database.query(this.byId, { id });
    return pet ?? null;
  }

  /** Stores a pet; it is durable when the promise resolves. */
  async insert(pet: NewPet): Promise<Pet> {
    const [row] = await this.database.query(this.insertion, { ...pet });
    return { ...pet, id: (row as Pick<Pet, 'id'>).id };
  }
}

function selectColumns(manager: EntityManager) {
  return manager
    .createQueryBuilder(Pet, 'pet')
    .select('pet.id', 'id')
    .addSelect('pet.name', 'name')
    .addSelect('pet.categoryId', 'categoryId')
    .addSelect('pet.status', 'status');
}

function selectPets(manager: EntityManager) {
  return selectColumns(manager)
    .where('pet.id > :after', { after: parameter('after') })
    .orderBy('pet.id', 'ASC');
}
