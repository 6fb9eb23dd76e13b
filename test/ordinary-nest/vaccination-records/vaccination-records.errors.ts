import { defineError } from '../../../src/platform/errors/app-error';

export const VaccinationRecordNotFoundError = defineError({
  code: 'vaccination_record_not_found',
  status: 404,
  message: 'The pet has no vaccination record with this vaccinationRecordId.',
});

export const CertificateTakenError = defineError({
  code: 'certificate_taken',
  status: 409,
  message: 'Another vaccination has this certificate.',
});
