import { defineError } from '../platform/errors/app-error';

export const PetNotFoundError = defineError({
  code: 'pet_not_found',
  status: 404,
  message: 'No pet has this petId.',
});
