import { Injectable } from '@nestjs/common';
import { Database, EntityRepository } from '@petstore/platform';
import { Pet } from './pet.entity';

/** Pets in the database. */
@Injectable()
export class PetsRepository extends EntityRepository<Pet> {
  constructor(database: Database) {
    super(database, Pet);
  }
}
