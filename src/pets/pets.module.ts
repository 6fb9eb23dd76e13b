import { Module } from '@nestjs/common';
import { Feature } from '@petstore/platform';
import { CreatePets1763700045000 } from '../migrations/1763700045000-create-pets';
import { Pet } from './pet.entity';
import { PETS_ADMIN } from './pets.admin';
import { PetsController } from './pets.controller';
import { PetsRepository } from './pets.repository';
import { PetsSeed } from './pets.seed';
import { PetsService } from './pets.service';

/** Pets. Other features can use their service. */
@Feature({
  description: 'The animals of the store.',
  admin: PETS_ADMIN,
  entities: [Pet],
  migrations: [CreatePets1763700045000],
})
@Module({
  controllers: [PetsController],
  providers: [PetsService, PetsRepository, PetsSeed],
  exports: [PetsService],
})
export class PetsModule {}
