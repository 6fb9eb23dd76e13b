import { parseDecimalInt64 } from '../../../../platform/values/int64';
import { startOfDay } from '../../../../platform/values/text-formats';
import { type ListFacts, readList, type RecordList, type RecordOrder } from '../../../records/list-request';
import { NOT_SET, recordFilters, type RecordListFilter, REMOVED } from '../../../records/record-filters';
import { endOfDay } from '../../http/days';
import { faultTexts } from '../../http/form-faults';
import { type ReadPosition, readPosition } from './position-cursor';
import { manyOf } from '../../../records/record-names';
import { canonical } from '../../../records/value-text';

/** A list, as the query of its address asks for it. */
export interface ListQuery extends RecordList {
  /** Values by parameter as given, valid or not; empty ones are left out. */
  readonly texts: Readonly<Record<string, string>>;
  /** Faults by parameter, and under the empty name if the page has no control for it. */
  readonly faults: Readonly<Record<string, string>>;
  /** The beginning or the end of the page; the first page by default. */
  readonly page: { readonly direction: 'after' | 'before'; readonly position: ReadPosition } | undefined;
}

/** Parameters besides the filters. They have a hyphen, which no name of a field has. */
/**
 * Parameter with the ids of the rows that were chosen on a list; it restricts the list to them. Several are separated by commas,
 * or given in several parameters.
 */
export const CHOSEN = 'chosen-id';
export const SORT_BY = 'sort-by';
/** Parameter with the names of the columns that are shown; several as in CHOSEN. */
export const COLUMNS = 'columns';
export const PAGE_AFTER = 'page-after';
export const PAGE_BEFORE = 'page-before';

/** Newest first: people mostly look for what was just added. */
const DEFAULT_SORT = '-id';

/** The filters of a list that have controls; times have two of days each, and no others. */
export function listControls(facts: ListFacts): RecordListFilter[] {
  return recordFilters(facts).filter(({ as }) => as?.kind !== 'date-time');
}

/** Reads the query of a list's address. Faulty parameters are reported, and do not filter. */
export function readListQuery(facts: ListFacts, parameters: URLSearchParams): ListQuery {
  const faults: Record<string, string> = {};
  const filters = listControls(facts);
  const texts = readTexts(filters, parameters, faults);
  const given = filters.filter(({ name }) => texts[name] !== undefined);
  const inputs = given.map((filter) => [filter.name, inputOf(filter, texts, faults)] as const);
  const {
    filter,
    order,
    faults: wrong,
  } = readList(facts, {
    texts: Object.fromEntries(inputs),
    order: orderIn(texts[SORT_BY] ?? DEFAULT_SORT),
  });
  Object.assign(faults, spanFaults(given, texts, faults));
  const labels = filters.flatMap(({ name, as }) => (as ? [{ ...as, name }] : []));
  Object.assign(faults, faultTexts(labels, wrong.fields));
  if (wrong.notSet) faults[NOT_SET] = wrong.notSet;
  if (wrong.removed) faults[REMOVED] = wrong.removed;
  if (wrong.order) faults[''] = 'The list cannot be sorted as the address of this page says.';
  const ids = readChosen(facts, parameters, texts, faults);
  return {
    texts,
    faults,
    filter: ids ? { ...filter, ids } : filter,
    order,
    page: readPage(facts, texts, order, faults),
  };
}

/**
 * Builds the query of the same list with some parameters changed; those without a text are left out. It leads to the first page
 * unless the changes name one.
 */
export function listQueryText(
  texts: ListQuery['texts'],
  changes: Readonly<Record<string, string | undefined>> = {},
): string {
  const { [PAGE_AFTER]: _after, [PAGE_BEFORE]: _before, ...rest } = texts;
  const parameters = new URLSearchParams();
  for (const [name, text] of Object.entries({ ...rest, ...changes })) {
    if (text && !(name === SORT_BY && text === DEFAULT_SORT)) parameters.set(name, text);
  }
  return parameters.size > 0 ? `?${parameters.toString()}` : '';
}

/** Picks the parameters that filter a list. */
export function filterTexts(texts: ListQuery['texts']): Record<string, string> {
  const looks = new Set([PAGE_AFTER, PAGE_BEFORE, SORT_BY, COLUMNS]);
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !looks.has(name)));
}

function readTexts(
  filters: readonly RecordListFilter[],
  parameters: URLSearchParams,
  faults: Record<string, string>,
): Record<string, string> {
  const others = [CHOSEN, SORT_BY, COLUMNS, PAGE_AFTER, PAGE_BEFORE];
  const known = new Set([...filters.map(({ name }) => name), ...others]);
  const ofSeveral = filters.filter(({ operator }) => operator === 'in').map(({ name }) => name);
  const several = new Set([CHOSEN, COLUMNS, ...ofSeveral]);
  const texts: Record<string, string> = {};
  for (const [name, text] of parameters) {
    if (!known.has(name)) {
      faults[''] = `The address of this page contains the filter “${name}”, which this list does not have.`;
    } else if (several.has(name)) {
      if (text !== '') texts[name] = texts[name] === undefined ? text : `${texts[name]},${text}`;
    } else if (Object.hasOwn(texts, name)) {
      faults[''] = `The address of this page contains the filter “${name}” twice.`;
    } else if (text !== '') {
      texts[name] = text;
    }
  }
  return texts;
}

/** Returns the text of a filter in the only spelling of its value; of a day, the instant at which it begins or ends. */
function inputOf(
  { name, label, operator, as, values }: RecordListFilter,
  { [name]: text = '' }: ListQuery['texts'],
  faults: Record<string, string>,
): string | string[] | undefined {
  const spelled = (one: string) => (as ? canonical(as.kind, one) : one);
  if (operator === 'in') return text.split(',').map(spelled).filter(Boolean);
  if (values?.type !== 'date') return spelled(text);
  const instant = operator === 'before' ? endOfDay(text.trim()) : startOfDay(text.trim());
  if (!instant) faults[name] = `${label} must be a date such as 2026-01-31.`;
  return instant?.toISOString();
}

/** Returns the faults of spans of days that end before they begin. */
function spanFaults(
  given: readonly RecordListFilter[],
  texts: ListQuery['texts'],
  faults: ListQuery['faults'],
): Record<string, string> {
  const days = given.filter(({ name, values }) => values?.type === 'date' && !faults[name]);
  return Object.fromEntries(
    days.flatMap((to) => {
      const from = days.find(({ field, operator }) => field === to.field && operator === 'from');
      const isBefore = to.operator === 'before' && from && startOf(to, texts) < startOf(from, texts);
      return isBefore ? [[to.name, `${to.label} must not be before ${from.label.toLowerCase()}.`]] : [];
    }),
  );
}

function startOf({ name }: RecordListFilter, texts: ListQuery['texts']): number {
  return startOfDay(texts[name]?.trim() ?? '')?.getTime() ?? 0;
}

/**
 * Reads the ids that were chosen; undefined if the list is not restricted to chosen records. The form of a list also sends the
 * parameter without a value: if no row is chosen, an action on the chosen rows must not apply to all.
 */
function readChosen(
  { recordType }: ListFacts,
  parameters: URLSearchParams,
  texts: ListQuery['texts'],
  faults: Record<string, string>,
): bigint[] | undefined {
  if (!parameters.has(CHOSEN)) return undefined;
  const ids = (texts[CHOSEN]?.split(',') ?? []).map(parseDecimalInt64);
  if (ids.length === 0) faults[''] = `No ${manyOf(recordType)} are chosen: tick some in the list first.`;
  if (ids.includes(undefined)) faults[''] = 'The address of this page contains an invalid id.';
  return ids.filter((id) => id !== undefined);
}

/** Reads the order from the parameter: a field, with a hyphen before it for descending order. */
function orderIn(text: string): RecordOrder {
  const descending = text.startsWith('-');
  return { by: descending ? text.slice(1) : text, descending };
}

function readPage(
  { recordType }: ListFacts,
  texts: ListQuery['texts'],
  order: RecordOrder,
  faults: Record<string, string>,
): ListQuery['page'] {
  const name = texts[PAGE_AFTER] === undefined ? PAGE_BEFORE : PAGE_AFTER;
  const cursor = texts[name];
  if (cursor === undefined) return undefined;
  const position = readPosition(cursor, recordType, order);
  if (position) return { direction: name === PAGE_AFTER ? 'after' : 'before', position };
  faults[''] = 'The address of this page contains an invalid page of the list.';
  return undefined;
}
