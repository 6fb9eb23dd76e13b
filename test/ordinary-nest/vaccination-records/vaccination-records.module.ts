import { Module } from '@nestjs/common';
import { PetsModule } from '../../../src/pets/pets.module';
import { Feature } from '../../../src/platform/features/feature.decorator';
import { VACCINATION_RECORDS_ADMIN } from './vaccination-records.admin';
import { VaccinationRecordsController } from './vaccination-records.controller';
import { VaccinationRecordsRepository, VaccinationRecordsService } from './vaccination-records.service';

/** A module as a team writes it whose operations the suites cannot make out by themselves: see its samples. */
@Feature({ description: 'The vaccinations of pets.', admin: VACCINATION_RECORDS_ADMIN })
@Module({
  imports: [PetsModule],
  controllers: [VaccinationRecordsController],
  providers: [VaccinationRecordsService, VaccinationRecordsRepository],
})
export class VaccinationRecordsModule {}
