import { adminRecords } from '../../../src/platform/features/admin-records';
import { VaccinationRecord } from './vaccination-record.entity';
import {
  NewVaccinationRecordDto,
  VaccinationRecordDto,
  VaccinationRecordPatchDto,
} from './vaccination-records.dto';
import { VaccinationRecordsService } from './vaccination-records.service';

/** How operators see and change vaccinations. */
export const VACCINATION_RECORDS_ADMIN = adminRecords<
  VaccinationRecordDto,
  NewVaccinationRecordDto,
  VaccinationRecordPatchDto
>({
  name: 'vaccination-records',
  one: 'vaccination record',
  entity: VaccinationRecord,
  record: VaccinationRecordDto,
  patch: VaccinationRecordPatchDto,
  service: VaccinationRecordsService,
});
