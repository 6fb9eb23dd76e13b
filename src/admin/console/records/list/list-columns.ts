import type { ListFacts } from '../../../records/list-request';
import { fieldNamed, fieldsOf, type RecordField } from '../../../records/record-fields';
import type { ConsoleRequest } from '../../http/console-request';
import { COLUMNS, type ListQuery } from './list-query';
import { listPath } from '../record-paths';
import { nameField } from '../../../records/record-title';

/** Name of the cookie with the columns of a list. Browsers send it only to the pages of this record type. */
export const COLUMNS_COOKIE = 'petstore_admin_columns';

/** Names in the form that chooses columns: one checkbox for each column, and a button for all. */
const COLUMN = 'column';
const ALL_COLUMNS = 'all-columns';

/** A column that a list can have. */
export interface ColumnChoice {
  readonly name: string;
  readonly label: string;
  /** The field of the column; undefined for the time at which a record was added. */
  readonly field: RecordField | undefined;
  /** True for the column with the link to the record, which every list has. */
  readonly isFixed: boolean;
}

/** All columns that lists of a record type can have. */
export function columnChoices({ recordType, isDated }: ListFacts): ColumnChoice[] {
  const title = nameField(recordType) ?? fieldNamed(recordType.record, 'id');
  const ofFields = fieldsOf(recordType.record).map((field) => ({
    name: field.name,
    label: field.label,
    field,
    isFixed: field === title,
  }));
  const added = { name: 'createdAt', label: 'Added', field: undefined, isFixed: false };
  return isDated ? [...ofFields, added] : ofFields;
}

/**
 * The columns of a list: those in its address, else those chosen in this browser, else all. Names of columns that do not exist are
 * ignored, so that the list can still be shown.
 */
export function chosenColumns(
  facts: ListFacts,
  texts: ListQuery['texts'],
  { cookies }: Pick<ConsoleRequest, 'cookies'>,
): ColumnChoice[] {
  const choices = columnChoices(facts);
  const names = (texts[COLUMNS] ?? cookies[COLUMNS_COOKIE] ?? '').split(',');
  const chosen = choices.filter(({ name }) => names.includes(name));
  return chosen.length === 0 ? choices : choices.filter((each) => each.isFixed || chosen.includes(each));
}

/** Data for the form that chooses columns. */
export function columnsForm(facts: ListFacts, columns: readonly ColumnChoice[], request: ConsoleRequest) {
  return {
    path: `${listPath(facts.recordType)}/columns`,
    return: request.addressWith({ [COLUMNS]: undefined }),
    name: COLUMN,
    all: ALL_COLUMNS,
    fixed: columns.find(({ isFixed }) => isFixed)?.label,
    options: columnChoices(facts)
      .filter(({ isFixed }) => !isFixed)
      .map(({ name, label }) => ({ value: name, label })),
    chosen: columns.map(({ name }) => name),
  };
}

/** The names of the columns chosen in the form; empty for all. */
export function columnsIn(facts: ListFacts, form: URLSearchParams): string {
  if (form.has(ALL_COLUMNS)) return '';
  const names = form.getAll(COLUMN);
  const chosen = columnChoices(facts).filter(({ name, isFixed }) => isFixed || names.includes(name));
  return chosen.map(({ name }) => name).join();
}
