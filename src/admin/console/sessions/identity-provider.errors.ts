import { defineError } from '../../../platform/errors/app-error';

/** Reports that a sign-in by OIDC failed; each occurrence has its own sentence for the person. */
export const SignInRefusedError = defineError({
  code: 'sign_in_refused',
  status: 401,
  message: 'The response of the sign-in service could not be verified, so you are not signed in.',
});

/** Reports that the OIDC provider does not respond, or responds with an error of its own. */
export const ProviderAwayError = defineError({
  code: 'provider_away',
  status: 503,
  message: 'The sign-in service cannot be reached at the moment. Operators who are signed in can continue.',
});
