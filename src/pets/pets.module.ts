import { Module } from '@nestjs/common';
import { Feature } from '../platform/feature.decorator';
import { PetsController } from './pets.controller';
import { PetsRepository } from './pets.repository';
import { PetsSeed } from './pets.seed';
import { PetsService } from './pets.service';

@Feature()
@Module({
  controllers: [PetsController],
  providers: [PetsService, PetsRepository, PetsSeed],
  exports: [PetsService],
})
export class PetsModule {}
