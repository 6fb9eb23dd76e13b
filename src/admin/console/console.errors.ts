import { defineError } from '../../platform/errors/app-error';

/** Redirects the browser to another page; each occurrence has its own Location. */
export const ElsewhereError = defineError({
  code: 'see_other',
  status: 303,
  message: 'The page is elsewhere.',
});

/** Refuses a page that needs a sign-in. */
export const NotSignedInError = defineError({
  code: 'not_signed_in',
  status: 401,
  message: 'Please sign in.',
});

/** Refuses a page or an action that the session may not have. */
export const NotAllowedError = defineError({
  code: 'not_allowed',
  status: 403,
  message: 'You may not do this.',
});

/** Reports an address of something that does not exist. */
export const PageNotFoundError = defineError({
  code: 'page_not_found',
  status: 404,
  message: 'There is no such page.',
});

/** Refuses a body that cannot be read as a form. */
export const UnreadableFormError = defineError({
  code: 'unreadable_form',
  status: 400,
  message: 'The form could not be read.',
});

/** Refuses a form that is too large. */
export const FormTooLargeError = defineError({
  code: 'form_too_large',
  status: 413,
  message: 'The form is too large.',
});

/** Refuses a body that is not a form. */
export const NotAFormError = defineError({
  code: 'not_a_form',
  status: 415,
  message: 'The console accepts forms only.',
});

/** Refuses a form without the name by which it is carried out only once. */
export const IncompleteFormError = defineError({
  code: 'incomplete_form',
  status: 400,
  message: 'The form is incomplete. Open it again.',
});

/** Refuses a form that was carried out before. */
export const RepeatedFormError = defineError({
  code: 'repeated_form',
  status: 409,
  message: 'This form was already sent and carried out. Nothing was done a second time.',
});
