import { defineError } from '../../platform/errors/app-error';

/** Tables cannot be distributed here, or not from where they are. */
export const DistributionRefusedError = defineError({
  code: 'distribution_refused',
  status: 409,
  message: 'The tables cannot be distributed here.',
  isForOperators: true,
});
