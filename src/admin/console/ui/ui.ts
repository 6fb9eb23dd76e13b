import { badge, callout, copyable, empty, nothing, notice, number, status, time, valueInWords } from './text';
import { checkboxes, csrf, csrfOnce, errorSummary, field } from './fields';
import { icon } from './icons';
import { pager, sortable, sortHeading } from './lists';

/** The parts that pages are made of, as templates call them. What they give is HTML; what they are given is text. */
export const ui = {
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
  time,
  valueInWords,
};
