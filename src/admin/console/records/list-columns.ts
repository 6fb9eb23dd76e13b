import type { ListFacts } from '../../records/list-request';
import { fieldNamed, fieldsOf, type RecordField } from '../../records/record-fields';
import type { ConsoleRequest } from '../console-request';
import { choiceCookie } from '../theme/choice-cookie';
import { COLUMNS, type ListQuery } from './list-query';
import { listPath } from './record-paths';
import { nameField } from './record-title';

/** The cookie with the columns that lists are to have in this browser. It is sent to the pages of this kind of record only. */
const COOKIE = 'petstore_admin_columns';

/** The fields of the form that chooses columns: each of them by its name, and a button for all. */
const COLUMN = 'column';
const ALL_COLUMNS = 'all-columns';

/** A column that a list can have. */
export interface ColumnChoice {
  readonly name: string;
  readonly label: string;
  /** Undefined of the one with the time a record was added. */
  readonly field: RecordField | undefined;
  /** Whether every list has it: in it stands the link to the record. */
  readonly isFixed: boolean;
}

/** Every column that lists of a kind can have. */
export function columnChoices({ kind, isDated }: ListFacts): ColumnChoice[] {
  const title = nameField(kind) ?? fieldNamed(kind.record, 'id');
  const ofFields = fieldsOf(kind.record).map((field) => ({
    name: field.name,
    label: field.label,
    field,
    isFixed: field === title,
  }));
  const added = { name: 'createdAt', label: 'Added', field: undefined, isFixed: false };
  return isDated ? [...ofFields, added] : ofFields;
}

/**
 * The columns that a list has: those that its address names, else those chosen in this browser, else all. What is no column any more
 * is left out, so that the list is there all the same.
 */
export function chosenColumns(
  facts: ListFacts,
  texts: ListQuery['texts'],
  { cookies }: Pick<ConsoleRequest, 'cookies'>,
): ColumnChoice[] {
  const choices = columnChoices(facts);
  const names = (texts[COLUMNS] ?? cookies[COOKIE] ?? '').split(',');
  const chosen = choices.filter(({ name }) => names.includes(name));
  return chosen.length === 0 ? choices : choices.filter((each) => each.isFixed || chosen.includes(each));
}

/** What the form to choose columns with shows. */
export function columnsForm(facts: ListFacts, columns: readonly ColumnChoice[], request: ConsoleRequest) {
  return {
    path: `${listPath(facts.kind)}/columns`,
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

/** Has the browser keep the columns that the form says. */
export function columnsCookie(facts: ListFacts, form: URLSearchParams): string {
  const names = form.getAll(COLUMN);
  const chosen = columnChoices(facts).filter(({ name, isFixed }) => isFixed || names.includes(name));
  const value = form.has(ALL_COLUMNS) ? '' : chosen.map(({ name }) => name).join();
  return choiceCookie(COOKIE, value, listPath(facts.kind));
}
