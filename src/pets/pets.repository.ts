import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { EntityRepository } from '../platform/database/entities/entity-repository';
import { Pet } from './pet.entity';

/** Pets in the database. */
@Injectable()
export class PetsRepository extends EntityRepository<Pet> {
  constructor(database: Database) {
    super(database, Pet);
  }
}
