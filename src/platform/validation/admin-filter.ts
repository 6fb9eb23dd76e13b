import { parseInstant } from '../values/written-values';
import type { Filter } from './list-filters';

/** A filter of a list for operators. The form of its page, the options of its commands and its query follow from it. */
export interface AdminFilter extends Filter {
  /** Label of its field in the form. */
  readonly label: string;
  /** Option of the commands, with the form of its value: `--status <number>`. Unset where each choice or field has its own. */
  readonly option?: string;
  /** Description of that option. */
  readonly help?: string;
  /** Any text unless set. */
  readonly values?: FilterValues;
  /** Choice of the form unless another is made; without one, the filter is then not in force. */
  readonly fallback?: string;
  readonly placeholder?: string;
  /** True if the form folds it away until it is in use. */
  readonly isMore?: boolean;
}

/** Values of a filter: how they are written, and how a form asks for them. */
export interface FilterValues {
  /** Reads a value; unset, it is the text. @throws InvalidValueError */
  readonly read?: (text: string) => unknown;
  /** The values, where they are few. */
  readonly choices?: readonly FilterChoice[];
  /** Type of the input in a form. */
  readonly type?: string;
  /** Further attributes of that input. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** One of a few values. */
export interface FilterChoice {
  readonly value: string;
  /** Text in a form. */
  readonly label: string;
  /** Option of the commands for this value alone. */
  readonly option?: string;
  /** Description of that option. */
  readonly help?: string;
}

/** Times, which a form asks for to the minute, in UTC. */
export const TIMES: FilterValues = { read: parseInstant, type: 'datetime-local' };

/** Times, which a form asks for by days in UTC, the last one included. */
export const DAYS: FilterValues = { read: parseInstant, type: 'date' };

/** Values that have labels in a form. */
export function labelled(labels: Readonly<Record<string, string>>): FilterValues {
  return { choices: Object.entries(labels).map(([value, label]) => ({ value, label })) };
}
