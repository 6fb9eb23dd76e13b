import { Module } from '@nestjs/common';
import { PetsModule } from '../../../src/pets/pets.module';
import { Feature } from '../../../src/platform/features/feature.decorator';
import { DENTAL_CHECKS_ADMIN } from './dental-checks.admin';
import { DentalChecksController } from './dental-checks.controller';
import { DentalChecksRepository, DentalChecksService } from './dental-checks.service';

/** A module as a team writes it whose operations the suites cannot make out by themselves: see its samples. */
@Feature({ description: 'The dental checks of pets.', admin: DENTAL_CHECKS_ADMIN })
@Module({
  imports: [PetsModule],
  controllers: [DentalChecksController],
  providers: [DentalChecksService, DentalChecksRepository],
})
export class DentalChecksModule {}
