import { Module } from '@nestjs/common';
import { Feature } from '@petstore/platform';
import { PETS_ADMIN } from './pets.admin';
import { PetsController } from './pets.controller';
import { PetsRepository } from './pets.repository';
import { PetsSeed } from './pets.seed';
import { PetsService } from './pets.service';

/** Pets. Other features can use their service. */
@Feature({ description: 'The animals of the store.', admin: PETS_ADMIN })
@Module({
  controllers: [PetsController],
  providers: [PetsService, PetsRepository, PetsSeed],
  exports: [PetsService],
})
export class PetsModule {}
