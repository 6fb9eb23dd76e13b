import { AppError, type FieldFault } from '../../platform/errors/app-error';
import { INT64_MAX, INT64_MIN } from '../../platform/values/int64';
import type { RecordField } from '../records/record-fields';
import { IncompleteFormError, NotAllowedError, RepeatedFormError } from './console.errors';

/** What the rule of an int64 says is beyond what people read. */
const INT64_RANGE = `an integer from ${INT64_MIN} to ${INT64_MAX}`;

/** Why a form may not be carried out, whatever is typed into it. */
const NOT_TO_BE_CARRIED_OUT = [IncompleteFormError, NotAllowedError, RepeatedFormError];

/** Why a form was not carried out. */
export interface FormFaults {
  /** HTTP status of the page that shows the form again. */
  readonly status: number;
  /** Sentences by the name of their field; what is wrong with none of them has the empty name. */
  readonly faults: Readonly<Record<string, string>>;
}

/**
 * What an error says to the person who sent a form.
 *
 * @throws the error when it is not about the form
 */
export function formFaults(error: unknown, fields: readonly RecordField[] = []): FormFaults {
  if (!(error instanceof AppError) || error.status >= 500 || isAboutSending(error)) throw error;
  const { status, message, faults } = error;
  // `petId refers to …`, or of one object of an array `lines[1].petId refers to …`.
  const named = ({ name }: RecordField) => message.startsWith(`${name} `) || message.startsWith(`${name}[`);
  const field = fields.find(named)?.name ?? '';
  return { status, faults: faultTexts(fields, faults ?? [{ field, message }]) };
}

function isAboutSending(error: AppError): boolean {
  return NOT_TO_BE_CARRIED_OUT.some((each) => error instanceof each);
}

/** What is wrong with fields, in the words of a page: `Category id must be an integer.` */
export function faultTexts(
  fields: readonly RecordField[],
  faults: readonly FieldFault[],
): Record<string, string> {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  return Object.fromEntries(
    faults.map(({ field, message }) => {
      const said = message.startsWith(`${field} `)
        ? message.slice(field.length).replace(INT64_RANGE, 'a whole number of at most 64 bits')
        : undefined;
      return [field, said === undefined ? message : `${labels.get(field) ?? field}${said}`];
    }),
  );
}
