import { defineError } from '@petstore/platform';

export const PetNotFoundError = defineError({
  code: 'pet_not_found',
  status: 404,
  message: 'No pet has this petId.',
});
