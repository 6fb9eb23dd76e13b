import type { Type } from '@nestjs/common';
import type { FieldFault } from '../../platform/errors/app-error';
import type { AdminRecords } from '../../platform/features/admin-records';
import { addCondition, type Condition, conditionsOf } from '../../platform/database/statements/where';
import { isStorableText, TEXT_RULE } from '../../platform/values/kinds/text.kind';
import { listParameters } from './list-parameters';
import { fieldsOf, optionalFields } from './record-fields';
import { type FieldTexts, readValues, validate } from './record-values';
import { InvalidRecordError } from './records.errors';
import type { StoredRecord } from './stored-record';

/** Inclusion of removed records, if they are kept. */
export type RemovedRecords = (typeof REMOVED_RECORDS)[number];

export const REMOVED_RECORDS = ['without', 'only', 'with'] as const;

/** A span of time. A missing instant leaves its end open. */
export interface TimeSpan {
  /** Start of the span, inclusive. */
  readonly from?: Date | undefined;
  /** End of the span, exclusive. */
  readonly to?: Date | undefined;
}

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

/** Position of a record in an order. */
export interface RecordPosition {
  /** The value that it is ordered by. */
  readonly value: unknown;
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
export function positionOf({ values, createdAt }: StoredRecord, order: RecordOrder): RecordPosition {
  const value = order.by === 'createdAt' ? createdAt : values[order.by];
  return { value: value ?? null, id: values.id };
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

/** Texts of the parameters of a list's query. */
export type ParameterTexts = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A list as an operator requests it: values of fields as texts, anything else already parsed. */
export interface ListInput {
  readonly id?: bigint | undefined;
  readonly fields: FieldTexts;
  /** Texts by parameter of the list's query, arrays for parameters of several values. */
  readonly parameters: ParameterTexts;
  readonly notSet: readonly string[];
  readonly times: Readonly<Record<string, TimeSpan>>;
  readonly removed: string;
  readonly order: RecordOrder;
}

/** Faults of a requested list, one sentence each. */
export interface ListFaults {
  readonly fields: readonly FieldFault[];
  readonly notSet?: string;
  readonly times?: string;
  readonly removed?: string;
  readonly order?: string;
}

/** Reads the filter and the order of a list. Faults are reported, and do not restrict the list. */
export function readList(facts: ListFacts, wanted: ListInput): RecordList & { readonly faults: ListFaults } {
  const { recordType, orders, isDated, keepsRemoved } = facts;
  const where: Conditions = wanted.id === undefined ? {} : { id: wanted.id };
  const fields = [
    ...addFields(where, recordType.record, wanted.fields),
    ...addParameters(where, recordType, wanted.parameters),
  ];
  const optional = optionalFields(recordType.record).map(({ name }) => name);
  const isNotSetKnown = wanted.notSet.every((name) => optional.includes(name));
  if (isNotSetKnown) for (const name of wanted.notSet) addCondition(where, name, { isSet: false });
  const areTimesKnown = wanted.times.createdAt === undefined || isDated;
  if (areTimesKnown) {
    for (const [name, { from, to }] of Object.entries(wanted.times))
      addCondition(where, name, { from, before: to });
  }
  const removed = REMOVED_RECORDS.find((each) => each === wanted.removed);
  const isOrdered = orders.includes(wanted.order.by);
  return {
    filter: { where, removed: removed !== undefined && keepsRemoved ? removed : 'without' },
    order: isOrdered ? wanted.order : { by: 'id', descending: true },
    faults: {
      fields,
      ...(!isNotSetKnown && { notSet: `Not set must name optional fields: ${optional.join(', ')}.` }),
      ...(!areTimesKnown && { times: `${recordType.name} do not record when they were added.` }),
      ...(removed === undefined && { removed: 'Removed records must be without, only or with.' }),
      ...(removed !== undefined &&
        removed !== 'without' &&
        !keepsRemoved && { removed: `removed ${recordType.name} are not kept.` }),
      ...(!isOrdered && { order: `${recordType.name} can be sorted by ${orders.join(', ')}.` }),
    },
  };
}

/** Adds the conditions of the parameters of a list's query, and returns the faults of those that break a rule. */
function addParameters(where: Conditions, recordType: AdminRecords, texts: ParameterTexts): FieldFault[] {
  const filters = listParameters(recordType);
  const values: Record<string, unknown> = {};
  const faults = faultsOf(filters, ({ name }) => {
    const text = texts[name];
    if (text === undefined || !recordType.list) return;
    const read = validate(recordType.list as Type<Record<string, unknown>>, { [name]: text });
    values[name] = read[name];
  });
  for (const [name, condition] of Object.entries(conditionsOf(filters, values))) {
    addCondition(where, name, condition as Condition);
  }
  return faults;
}

/** Adds the values that fields are filtered by, and returns the faults of those that break a rule. */
function addFields(where: Conditions, record: Type, texts: FieldTexts): FieldFault[] {
  return faultsOf(fieldsOf(record), ({ name, kind }) => {
    const text = texts[name];
    if (text === undefined) return;
    if (kind !== 'text') {
      where[name] = (readValues(record, { [name]: text }) as Conditions)[name];
    } else if (isStorableText(text)) {
      // A part of a text need not be as long as the whole, nor match its pattern.
      addCondition(where, name, { contains: text });
    } else {
      throw new InvalidRecordError([{ field: name, message: `${name} ${TEXT_RULE}.` }]);
    }
  });
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

/** Conditions by field. */
type Conditions = Record<string, unknown>;
