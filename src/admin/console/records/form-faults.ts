import { AppError } from '../../../platform/errors/app-error';
import type { RecordField } from '../../records/record-fields';
import { InvalidRecord, RecordsRefusal } from '../../records/records.errors';
import { ConsoleRefusal } from '../console-refusal';
import { faultTexts } from './field-control';

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
export function formFaults(error: unknown, fields: readonly RecordField[]): FormFaults {
  if (error instanceof InvalidRecord) return { status: 422, faults: faultTexts(fields, error.faults) };
  if (error instanceof RecordsRefusal) return { status: 409, faults: { '': error.message } };
  if (!(error instanceof AppError) || error instanceof ConsoleRefusal || error.status >= 500) throw error;
  const field = fields.find(({ name }) => error.message.startsWith(`${name} `));
  const fault = { field: field?.name ?? '', message: error.message };
  return { status: error.status, faults: faultTexts(fields, [fault]) };
}
