import type { AdminRecords } from '../../../../platform/features/admin-records';
import { DAY_MS } from '../../../../platform/values/calendar';
import { parseDecimalInt64 } from '../../../../platform/values/int64';
import { startOfDay } from '../../../../platform/values/text-formats';
import { type ListParameter, listParameters, plainFields } from '../../../records/list-parameters';
import { optionalFields, timeFields } from '../../../records/record-fields';
import {
  type ListFacts,
  type ParameterTexts,
  readList,
  type RecordList,
  type RecordOrder,
  type TimeSpan,
} from '../../../records/list-request';
import { faultTexts } from '../../http/form-faults';
import { type ReadPosition, readPosition } from './position-cursor';
import { manyOf } from '../../ui/record-names';
import { canonical } from '../fields/value-text';

/** A list, as the query of its address asks for it. */
export interface ListQuery extends RecordList {
  /** Values by parameter as given, valid or not; empty ones are left out. */
  readonly texts: Readonly<Record<string, string>>;
  /** Faults by parameter, and under the empty name if the page has no control for it. */
  readonly faults: Readonly<Record<string, string>>;
  /** The beginning or the end of the page; the first page by default. */
  readonly page: { readonly direction: 'after' | 'before'; readonly position: ReadPosition } | undefined;
}

/** Parameters besides those with the name of a field. They have a hyphen, which no name of a field has. */
const ADDED_FROM = 'added-from';
const ADDED_TO = 'added-to';
export const REMOVED = 'removed-records';
/** Parameter with the optional fields that must not be set; several are separated by commas, or given in several parameters. */
export const NOT_SET = 'not-set';
/** Parameter with the ids of the rows that were chosen on a list; it restricts the list to them. Several as in NOT_SET. */
export const CHOSEN = 'chosen-id';
export const SORT_BY = 'sort-by';
/** Parameter with the names of the columns that are shown; several as in NOT_SET. */
export const COLUMNS = 'columns';
export const PAGE_AFTER = 'page-after';
export const PAGE_BEFORE = 'page-before';

/** Newest first: people mostly look for what was just added. */
const DEFAULT_SORT = '-id';

/** The latest instant: PostgreSQL's text of a later one has no form in RFC 3339. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** The parameters of a list that have controls of their own here; times are filtered by days instead. */
export function listControls(recordType: AdminRecords): ListParameter[] {
  return listParameters(recordType).filter(({ as }) => as.kind !== 'date-time');
}

/** Reads the query of a list's address. Faulty parameters are reported, and do not filter. */
export function readListQuery(facts: ListFacts, parameters: URLSearchParams): ListQuery {
  const faults: Record<string, string> = {};
  const texts = readTexts(facts, parameters, faults);
  const times = readTimes(facts, texts, faults);
  const named = plainFields(facts.recordType);
  const declared = listControls(facts.recordType);
  const given = named.filter(({ name }) => texts[name] !== undefined);
  const {
    filter,
    order,
    faults: wrong,
  } = readList(facts, {
    fields: Object.fromEntries(given.map(({ name, kind }) => [name, canonical(kind, texts[name] ?? '')])),
    parameters: parameterTexts(declared, texts),
    notSet: texts[NOT_SET]?.split(',') ?? [],
    times,
    removed: texts[REMOVED] ?? 'without',
    order: orderIn(texts[SORT_BY] ?? DEFAULT_SORT),
  });
  const labelled = declared.map(({ name, as }) => ({ ...as, name }));
  Object.assign(faults, faultTexts([...named, ...labelled], wrong.fields));
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
  facts: ListFacts,
  parameters: URLSearchParams,
  faults: Record<string, string>,
): Record<string, string> {
  const { recordType, keepsRemoved } = facts;
  const known = new Set([
    ...plainFields(recordType).map(({ name }) => name),
    ...listControls(recordType).map(({ name }) => name),
    ...timesOf(facts).flatMap((time) => time.parameters),
    CHOSEN,
    SORT_BY,
    COLUMNS,
    PAGE_AFTER,
    PAGE_BEFORE,
  ]);
  if (keepsRemoved) known.add(REMOVED);
  if (optionalFields(recordType.record).length > 0) known.add(NOT_SET);
  const several = new Set([CHOSEN, NOT_SET, COLUMNS, ...severalOf(recordType)]);
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

/** Parameters that may have several values; in an address separated by commas, or given several times. */
function severalOf(recordType: AdminRecords): string[] {
  return listControls(recordType).flatMap((one) => (one.operator === 'in' ? [one.name] : []));
}

function parameterTexts(parameters: readonly ListParameter[], texts: ListQuery['texts']): ParameterTexts {
  const given = parameters.filter(({ name }) => texts[name] !== undefined);
  return Object.fromEntries(
    given.map(({ name, operator, as }) => {
      const text = texts[name] ?? '';
      return [
        name,
        operator === 'in' ? text.split(',').map((one) => canonical(as.kind, one)) : canonical(as.kind, text),
      ];
    }),
  );
}

/** A time by which lists can be filtered, from the day of the first parameter to that of the second. */
interface ListTime {
  readonly name: string;
  readonly label: string;
  readonly parameters: readonly [from: string, to: string];
}

/** The times by which lists can be filtered: the time at which records were added, and their `date-time` fields. */
export function timesOf({ recordType, isDated }: ListFacts): ListTime[] {
  const ofFields = timeFields(recordType.record).map(({ name, label }): ListTime => ({
    name,
    label,
    parameters: [`from-${name}`, `to-${name}`],
  }));
  const added: ListTime = { name: 'createdAt', label: 'Added', parameters: [ADDED_FROM, ADDED_TO] };
  return isDated ? [...ofFields, added] : ofFields;
}

function readTimes(
  facts: ListFacts,
  texts: ListQuery['texts'],
  faults: Record<string, string>,
): Record<string, TimeSpan> {
  const times: Record<string, TimeSpan> = {};
  for (const { name, label, parameters } of timesOf(facts)) {
    const [first, last] = parameters;
    const from = readDay(first, `${label} from`, texts, faults);
    const to = readDay(last, `${label} to`, texts, faults);
    if (from && to && from > to) faults[last] = `${label} to must not be before ${label.toLowerCase()} from.`;
    if (from || to) times[name] = { from, to: to && new Date(Math.min(to.getTime() + DAY_MS, LAST_INSTANT)) };
  }
  return times;
}

function readDay(
  name: string,
  label: string,
  texts: ListQuery['texts'],
  faults: Record<string, string>,
): Date | undefined {
  const text = texts[name];
  if (text === undefined) return undefined;
  const day = startOfDay(text.trim());
  if (day) return day;
  faults[name] = `${label} must be a date such as 2026-01-31.`;
  return undefined;
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
