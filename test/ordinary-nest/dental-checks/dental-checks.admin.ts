import { adminRecords } from '../../../src/platform/features/admin-records';
import { DentalCheck } from './dental-check.entity';
import { NewDentalCheckDto, DentalCheckDto, DentalCheckPatchDto } from './dental-checks.dto';
import { DentalChecksService } from './dental-checks.service';

/** How operators see and change dental checks. */
export const DENTAL_CHECKS_ADMIN = adminRecords<DentalCheckDto, NewDentalCheckDto, DentalCheckPatchDto>({
  name: 'dental-checks',
  one: 'dental check',
  entity: DentalCheck,
  record: DentalCheckDto,
  patch: DentalCheckPatchDto,
  service: DentalChecksService,
});
