import { defineError } from '../../../../platform/errors/app-error';

/** Reports that the name or the list of a saved view breaks a rule. */
export const UnfitViewError = defineError({
  code: 'unfit_view',
  status: 422,
  message: 'The saved view is not valid.',
});

/** Reports that the operator has no such view. */
export const ViewNotFoundError = defineError({
  code: 'view_not_found',
  status: 404,
  message: 'There is no such view, or the view is not yours.',
});
