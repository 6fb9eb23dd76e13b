import { badge, callout, copyable, empty, nothing, notice, number, status, valueInWords } from './text';
import { checkboxes, csrf, csrfOnce, errorSummary, field, undoForm } from './fields';
import { icon } from './icons';
import { pager, sortable, sortHeading } from './lists';
import { timeIn } from './time';

const PARTS = {
  badge,
  callout,
  checkboxes,
  copyable,
  csrf,
  csrfOnce,
  empty,
  errorSummary,
  field,
  icon,
  nothing,
  notice,
  number,
  pager,
  sortable,
  sortHeading,
  status,
  undoForm,
  valueInWords,
};

/**
 * The parts that pages are made of, as templates call them, for a reader. What they give is HTML; what they are given is text.
 *
 * @param program how the reader calls the command line beside the service
 */
export function uiFor({ timeZone }: { readonly timeZone: string }, program: string) {
  return { ...PARTS, time: timeIn(timeZone), call: (command: string) => `${program} ${command}` };
}
