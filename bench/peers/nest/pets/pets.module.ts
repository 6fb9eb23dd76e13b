import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module';
import { PetsController } from './pets.controller';
import { PetsService } from './pets.service';

@Module({
  imports: [DatabaseModule],
  controllers: [PetsController],
  providers: [PetsService],
})
export class PetsModule {}
