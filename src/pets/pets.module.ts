import { Module } from '@nestjs/common';
import { PetsController } from './pets.controller';
import { PetsRepository } from './pets.repository';
import { PetsSeed } from './pets.seed';
import { PetsService } from './pets.service';

@Module({
  controllers: [PetsController],
  providers: [PetsService, PetsRepository, PetsSeed],
  exports: [PetsService],
})
export class PetsModule {}
