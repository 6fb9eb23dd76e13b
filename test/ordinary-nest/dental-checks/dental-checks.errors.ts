import { defineError } from '../../../src/platform/errors/app-error';

export const DentalCheckNotFoundError = defineError({
  code: 'dental_check_not_found',
  status: 404,
  message: 'The pet has no dental check with this dentalCheckId.',
});

export const CertificateTakenError = defineError({
  code: 'certificate_taken',
  status: 409,
  message: 'Another dental check has this certificate.',
});
