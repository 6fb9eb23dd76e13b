import { AppError, type FieldFault } from '../../../platform/errors/app-error';
import type { RecordField } from '../../records/record-fields';
import { IncompleteFormError, NotAllowedError, RepeatedFormError } from '../console.errors';

/** Errors for which a form may not be carried out, whatever is typed into it. */
const NOT_TO_BE_CARRIED_OUT = [IncompleteFormError, NotAllowedError, RepeatedFormError];

/** The reasons why a form was not carried out. */
export interface FormFaults {
  /** HTTP status of the page that shows the form again. */
  readonly status: number;
  /** Sentences by the name of their field. A fault of the form as a whole has the empty name. */
  readonly faults: Readonly<Record<string, string>>;
}

/**
 * Converts an error into texts for the person who sent the form.
 *
 * @throws the error if it is not about the form
 */
export function formFaults(error: unknown, fields: readonly RecordField[] = []): FormFaults {
  if (!(error instanceof AppError) || error.status >= 500 || isAboutSending(error)) throw error;
  const { status, message, faults } = error;
  return { status, faults: faultTexts(fields, faults ?? [{ field: '', message }]) };
}

function isAboutSending(error: AppError): boolean {
  return NOT_TO_BE_CARRIED_OUT.some((each) => error instanceof each);
}

/** Texts for faults of fields, in the words of a page: `Category id must be an integer.` */
export function faultTexts(
  fields: readonly RecordField[],
  faults: readonly FieldFault[],
): Record<string, string> {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  return Object.fromEntries(
    faults.map(({ field, message, predicate }) => [
      field,
      predicate === undefined ? message : `${labels.get(field) ?? field} ${predicate}.`,
    ]),
  );
}
