import type { Type } from '@nestjs/common';
import type { FieldFault } from '../../platform/errors/app-error';
import type { AdminRecords } from '../../platform/features/admin-records';
import type { ExactPlace } from '../../platform/database/statements/exact-place';
import { addCondition, conditionsOf } from '../../platform/database/statements/where';
import { isStorableText, TEXT_RULE } from '../../platform/values/kinds/text.kind';
import { optionalFields } from './record-fields';
import {
  conditionFilters,
  isDeclared,
  NOT_SET,
  type RecordListFilter,
  REMOVED,
  REMOVED_RECORDS,
  type RemovedRecords,
} from './record-filters';
import { readValues, validate } from './record-values';
import { InvalidRecordError } from './records.errors';
import type { StoredRecord } from './stored-record';

/** A filter of records; members that are not set do not restrict it. */
export interface RecordFilter {
  /** Only records with one of these ids. */
  readonly ids?: readonly bigint[] | undefined;
  /** Conditions by field, and on `createdAt`: each a value or a {@link Condition}. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** `without` unless set. */
  readonly removed?: RemovedRecords | undefined;
}

/** Order of a list; by id unless set. */
export interface RecordOrder {
  /** A field with an index, or `createdAt`. */
  readonly by: string;
  readonly descending: boolean;
  /** Puts records without a value first, for a list that is read backwards; by default they come last in either direction. */
  readonly nullsFirst?: boolean;
}

/** The order of a list unless another is set. */
export const BY_ID: RecordOrder = { by: 'id', descending: false };

/** Position of a record in an order. */
export interface RecordPosition {
  /** The value that it is ordered by. */
  readonly value: unknown;
  /** Value as the database has it, if that is more exact. */
  readonly exact?: ExactPlace;
  readonly id: bigint;
}

/** One page of a list of records, as the console, the command line and an export ask for it. */
export interface ListRequest {
  /** All records unless set. */
  readonly filter?: RecordFilter;
  readonly order?: RecordOrder | undefined;
  /** The position of the last record of the page before; unset for the first page. */
  readonly after?: RecordPosition | undefined;
  readonly limit: number;
}

/** Records of one page. */
export interface FoundRecords {
  readonly records: StoredRecord[];
  /** The position that the search reached, if it ran out of time and left the rest for the next page. */
  readonly lookedTo: RecordPosition | undefined;
}

/** A number of matching records. */
export interface RecordCount {
  readonly count: number;
  /** True if all rows were searched, or the limit of the count was reached. */
  readonly isWhole: boolean;
}

/** A whole list of records: its filter and its order. */
export interface RecordList {
  readonly filter: RecordFilter;
  readonly order: RecordOrder;
}

/** The position of a record in an order. */
export function positionOf({ values, createdAt, places }: StoredRecord, order: RecordOrder): RecordPosition {
  const value = order.by === 'createdAt' ? createdAt : values[order.by];
  return { value: value ?? null, id: values.id, exact: places?.[order.by] };
}

/** Abilities of the lists of a record type. */
export interface ListFacts {
  readonly recordType: AdminRecords;
  /** Every record type. */
  readonly recordTypes: readonly AdminRecords[];
  /** Fields that they can be ordered by. */
  readonly orders: readonly string[];
  /** True if the time at which a record was added is kept. */
  readonly isDated: boolean;
  /** True if removed records are kept. */
  readonly keepsRemoved: boolean;
}

/** Texts of filters by their names, arrays for those of several values; times as ISO 8601. */
export type FilterTexts = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A list as an operator requests it. */
export interface ListInput {
  readonly texts: FilterTexts;
  readonly order: RecordOrder;
}

/** Faults of a requested list, one sentence each. */
export interface ListFaults {
  readonly fields: readonly FieldFault[];
  readonly notSet?: string;
  readonly removed?: string;
  readonly order?: string;
}

/** Reads the filter and the order of a list. Faults are reported, and do not restrict the list. */
export function readList(
  facts: ListFacts,
  { texts, order }: ListInput,
): RecordList & { readonly faults: ListFaults } {
  const { recordType, orders, keepsRemoved } = facts;
  const { where, faults } = readConditions(facts, texts);
  const optional = optionalFields(recordType.record).map(({ name }) => name);
  const notSet = [texts[NOT_SET] ?? []].flat();
  const isNotSetKnown = notSet.every((name) => optional.includes(name));
  if (isNotSetKnown) for (const name of notSet) addCondition(where, name, { isSet: false });
  const wanted = texts[REMOVED] ?? 'without';
  const removed = REMOVED_RECORDS.find((each) => each === wanted);
  const isOrdered = orders.includes(order.by);
  return {
    filter: { where, removed: removed !== undefined && keepsRemoved ? removed : 'without' },
    order: isOrdered ? order : { by: 'id', descending: true },
    faults: {
      fields: faults,
      ...(!isNotSetKnown && { notSet: `Not set must name optional fields: ${optional.join(', ')}.` }),
      ...(removed === undefined && { removed: 'Removed records must be without, only or with.' }),
      ...(removed !== undefined &&
        removed !== 'without' &&
        !keepsRemoved && { removed: `removed ${recordType.name} are not kept.` }),
      ...(!isOrdered && { order: `${recordType.name} can be sorted by ${orders.join(', ')}.` }),
    },
  };
}

/** Reads the conditions on fields, and the faults of those that break a rule. */
function readConditions(facts: ListFacts, texts: FilterTexts) {
  const filters = conditionFilters(facts);
  const values: Record<string, unknown> = {};
  const faults = faultsOf(filters, (filter) => {
    const text = texts[filter.name];
    if (text !== undefined) values[filter.name] = valueOf(filter, text, facts.recordType);
  });
  return { where: conditionsOf(filters, values), faults };
}

/** Reads a value by the rule of the field, or of the parameter of the clients' list. @throws InvalidRecordError */
function valueOf(
  { name, operator, as }: RecordListFilter,
  text: string | readonly string[],
  recordType: AdminRecords,
): unknown {
  const { record, list } = recordType;
  const valueIn = (one: string) => memberOf(readValues(record, { [name]: one }), name);
  if (!as) return new Date(String(text));
  if (operator === undefined) return valueIn(String(text));
  if (operator === 'in' && !isDeclared(recordType, name)) return [text].flat().map(valueIn);
  if (operator !== 'contains') return memberOf(validate(list as Type<object>, { [name]: text }), name);
  // A part of a text need not be as long as the whole, nor match its pattern.
  if (isStorableText(String(text))) return text;
  throw new InvalidRecordError([{ field: name, message: `${name} ${TEXT_RULE}.`, predicate: TEXT_RULE }]);
}

function memberOf(dto: object, name: string): unknown {
  return (dto as Readonly<Record<string, unknown>>)[name];
}

/** Reads some filters, and returns the faults of those that break a rule. */
function faultsOf<Filter>(filters: readonly Filter[], read: (filter: Filter) => void): FieldFault[] {
  return filters.flatMap((filter) => {
    try {
      read(filter);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidRecordError)) throw error;
      return error.faults;
    }
  });
}
