import type { ConsoleRequest } from '../http/console-request';
import { valueInWords } from '../../records/value-text';
import { badge, breakable, callout, copyable, empty, nothing, notice, number, status } from './text';
import {
  checkboxes,
  csrf,
  csrfOnce,
  errorSummary,
  field,
  noticeActions,
  undoForm,
  unlessReadOnly,
} from './fields';
import { Columns, leftOut } from './columns';
import { filterBar } from './filter-bar';
import { icon } from './icons';
import { pager, sortable, sortHeading } from './lists';
import { table } from './table';
import { timeIn } from './time';

const PARTS = {
  badge,
  breakable,
  callout,
  checkboxes,
  copyable,
  csrf,
  csrfOnce,
  empty,
  errorSummary,
  field,
  filterBar,
  icon,
  leftOut,
  nothing,
  notice,
  noticeActions,
  number,
  pager,
  sortable,
  sortHeading,
  status,
  undoForm,
  valueInWords,
};

/**
 * The parts of pages that templates call, for one reader. They return HTML and take text.
 *
 * @param program the command line's name as the reader calls it on the service's machine
 */
export function uiFor(reader: Pick<ConsoleRequest, 'query' | 'timeZone' | 'readOnly'>, program: string) {
  const time = timeIn(reader.timeZone);
  return {
    ...PARTS,
    time,
    unlessReadOnly: unlessReadOnly(reader),
    columns: (columns: ConstructorParameters<typeof Columns>[1]) => new Columns(reader, columns),
    table: (content: Parameters<typeof table>[0]) => table(content, time),
    call: (command: string) => `${program} ${command}`,
  };
}
