import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../platform/database/database';
import { parameter, type StatementValues } from '../platform/database/statement';
import type { PageWindow } from '../platform/http/page-query';
import { Pet } from './pet.entity';
import type { PetStatus } from './pet-status';

/** What is stored of a new pet. */
export type NewPet = Omit<Pet, 'id'>;

/** Rows of one statement of a bulk insertion; beyond some hundred a statement gains nothing. */
const BULK_ROWS = 200;

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

  private readonly bulkInsertion = this.database.prepare<Pick<Pet, 'id'>>(
    (manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(Pet)
        .values(
          Array.from({ length: BULK_ROWS }, (_, row) => ({
            name: parameter(`name${row}`),
            categoryId: parameter(`categoryId${row}`),
            status: parameter(`status${row}`),
          })),
        )
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

  /** Stores many pets in one transaction: all of them or none. */
  async insertMany(pets: readonly NewPet[]): Promise<void> {
    await this.database.transaction(async () => {
      const inBulk = pets.length - (pets.length % BULK_ROWS);
      for (let start = 0; start < inBulk; start += BULK_ROWS) {
        await this.database.query(this.bulkInsertion, bulkValues(pets.slice(start, start + BULK_ROWS)));
      }
      for (const pet of pets.slice(inBulk)) await this.database.query(this.insertion, { ...pet });
    });
  }
}

function bulkValues(pets: readonly NewPet[]): StatementValues {
  const values: Record<string, string | bigint | null> = {};
  pets.forEach(({ name, categoryId, status }, row) => {
    values[`name${row}`] = name;
    values[`categoryId${row}`] = categoryId;
    values[`status${row}`] = status;
  });
  return values;
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
