/** Injection tokens of the repositories. */
export const PET_REPOSITORY = 'PET_REPOSITORY';
export const API_KEY_REPOSITORY = 'API_KEY_REPOSITORY';
