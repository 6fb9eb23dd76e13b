import { defineError } from '../../platform/errors/app-error';

/** The browser is led to another page; the occurrence has its Location. */
export const ElsewhereError = defineError({
  code: 'see_other',
  status: 303,
  message: 'The page is elsewhere.',
  isForOperators: true,
});

/** The page is for those who are signed in. */
export const NotSignedInError = defineError({
  code: 'not_signed_in',
  status: 401,
  message: 'Please sign in.',
  isForOperators: true,
});

/** The session may not see this page, or not do this. */
export const NotAllowedError = defineError({
  code: 'not_allowed',
  status: 403,
  message: 'You may not do this.',
  isForOperators: true,
});

/** What the address names is not there. */
export const PageNotFoundError = defineError({
  code: 'page_not_found',
  status: 404,
  message: 'There is no such page.',
  isForOperators: true,
});

/** The body is no form that can be read. */
export const UnreadableFormError = defineError({
  code: 'unreadable_form',
  status: 400,
  message: 'The form could not be read.',
  isForOperators: true,
});

/** The form is too large. */
export const FormTooLargeError = defineError({
  code: 'form_too_large',
  status: 413,
  message: 'What was sent is larger than 1 MiB.',
  isForOperators: true,
});

/** The body is something else than a form. */
export const NotAFormError = defineError({
  code: 'not_a_form',
  status: 415,
  message: 'The console takes forms only.',
  isForOperators: true,
});

/** The form lacks the name it may be carried out once by. */
export const IncompleteFormError = defineError({
  code: 'incomplete_form',
  status: 400,
  message: 'The form is incomplete. Open it again.',
  isForOperators: true,
});

/** The form was carried out before. */
export const RepeatedFormError = defineError({
  code: 'repeated_form',
  status: 409,
  message: 'This form was sent before and has been carried out. Nothing was done a second time.',
  isForOperators: true,
});
