import type { Type } from '@nestjs/common';
import type { FieldFault } from '../../platform/errors/app-error';
import type { AdminRecords } from '../../platform/features/admin-records';
import { conditionsOf } from '../../platform/database/entities/entity-list';
import { isStorableText, TEXT_RULE } from '../../platform/validation/fields';
import { listParameters } from './list-parameters';
import { fieldsOf, optionalFields } from './record-fields';
import { type FieldTexts, readValues, validate } from './record-values';
import { InvalidRecordError } from './records.errors';
import type { StoredRecord } from './stored-record';

/** Whether removed records are meant, where they are kept. */
export type RemovedRecords = (typeof REMOVED_RECORDS)[number];

export const REMOVED_RECORDS = ['without', 'only', 'with'] as const;

/** A span of time; open where there is no instant. */
export interface TimeSpan {
  /** At this instant or later. */
  readonly from?: Date | undefined;
  /** Before this instant. */
  readonly to?: Date | undefined;
}

/** Values by field: of a text a part, in any letter case of ASCII; of anything else the very value. */
export type FieldValues = Readonly<Record<string, string | number | bigint | boolean>>;

/** Which records are meant; what is not set does not matter. */
export interface RecordFilter {
  readonly id?: bigint | undefined;
  /** Only records with one of these ids. */
  readonly ids?: readonly bigint[] | undefined;
  readonly fields?: FieldValues;
  /** What fields must have by the parameters of the query of the list. */
  readonly conditions?: Readonly<Record<string, unknown>>;
  /** Optional fields that must not be set. */
  readonly notSet?: readonly string[];
  /** When, by `createdAt` and `date-time` field. Records of which a time is not known or not set are left out by it. */
  readonly times?: Readonly<Record<string, TimeSpan>>;
  /** `without` unless set. */
  readonly removed?: RemovedRecords | undefined;
}

/** In which order; by id unless set. */
export interface RecordOrder {
  /** A field with an index, or `createdAt`. */
  readonly by: string;
  readonly descending: boolean;
  /** Whether records without a value come first, for a list that is read backwards; they come last in either direction unless set. */
  readonly nullsFirst?: boolean;
}

/** Where a record stands in an order. */
export interface RecordPosition {
  /** What it is ordered by. */
  readonly value: unknown;
  readonly id: bigint;
}

/** One page of a list of records, as the console, the command line and an export ask for it. */
export interface ListRequest {
  /** All of them unless set. */
  readonly filter?: RecordFilter;
  readonly order?: RecordOrder | undefined;
  /** The position of the last record of the page before; unset for the first page. */
  readonly after?: RecordPosition | undefined;
  readonly limit: number;
}

/** Records of one page. */
export interface FoundRecords {
  readonly records: StoredRecord[];
  /** How far was looked, when that took so long that the rest was left for the next page. */
  readonly lookedTo: RecordPosition | undefined;
}

/** How many records match. */
export interface RecordCount {
  readonly count: number;
  /** Whether all were looked through, or as many were found as are counted. */
  readonly isWhole: boolean;
}

/** A whole list of records: which, and in which order. */
export interface RecordList {
  readonly filter: RecordFilter;
  readonly order: RecordOrder;
}

/** The position of a record in an order. */
export function positionOf({ values, createdAt }: StoredRecord, order: RecordOrder): RecordPosition {
  const value = order.by === 'createdAt' ? createdAt : values[order.by];
  return { value: value ?? null, id: values.id };
}

/** What lists of a kind of record can do. */
export interface ListFacts {
  readonly kind: AdminRecords;
  /** Every kind of record there is. */
  readonly kinds: readonly AdminRecords[];
  /** What they can be ordered by. */
  readonly orders: readonly string[];
  /** Whether it is known when a record was added. */
  readonly isDated: boolean;
  /** Whether removed records are kept. */
  readonly keepsRemoved: boolean;
}

/** The texts of parameters of the query of a list. */
export type ParameterTexts = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A list as an operator asks for it: values of fields as texts, anything else as its own parser has read it. */
export interface ListInput {
  readonly id?: bigint | undefined;
  readonly fields: FieldTexts;
  /** By parameter of the query of the list, those of several values as arrays. */
  readonly parameters: ParameterTexts;
  readonly notSet: readonly string[];
  readonly times: Readonly<Record<string, TimeSpan>>;
  readonly removed: string;
  readonly order: RecordOrder;
}

/** What is wrong with what is wanted, one sentence each. */
export interface ListFaults {
  readonly fields: readonly FieldFault[];
  readonly notSet?: string;
  readonly times?: string;
  readonly removed?: string;
  readonly order?: string;
}

/** Reads which records are wanted, and in which order. What is wrong is reported, and does not narrow the list down. */
export function readList(facts: ListFacts, wanted: ListInput): RecordList & { readonly faults: ListFaults } {
  const { kind, orders, isDated, keepsRemoved } = facts;
  const { fields, faults: fieldFaults } = readFields(kind.record, wanted.fields);
  const { conditions, faults: parameterFaults } = readConditions(kind, wanted.parameters);
  const optional = optionalFields(kind.record).map(({ name }) => name);
  const isNotSetKnown = wanted.notSet.every((name) => optional.includes(name));
  const areTimesKnown = wanted.times.createdAt === undefined || isDated;
  const removed = REMOVED_RECORDS.find((each) => each === wanted.removed);
  const isOrdered = orders.includes(wanted.order.by);
  return {
    filter: {
      id: wanted.id,
      fields,
      ...(Object.keys(conditions).length > 0 && { conditions }),
      notSet: isNotSetKnown ? wanted.notSet : [],
      times: areTimesKnown ? wanted.times : {},
      removed: removed !== undefined && keepsRemoved ? removed : 'without',
    },
    order: isOrdered ? wanted.order : { by: 'id', descending: true },
    faults: {
      fields: [...fieldFaults, ...parameterFaults],
      ...(!isNotSetKnown && { notSet: `Not set must name optional fields: ${optional.join(', ')}.` }),
      ...(!areTimesKnown && { times: `it is not kept when ${kind.name} were added.` }),
      ...(removed === undefined && { removed: 'Removed records must be without, only or with.' }),
      ...(removed !== undefined &&
        removed !== 'without' &&
        !keepsRemoved && { removed: `removed ${kind.name} are not kept.` }),
      ...(!isOrdered && { order: `${kind.name} can be sorted by ${orders.join(', ')}.` }),
    },
  };
}

/** What fields must have by the parameters of the query of a list. Of one that breaks a rule there is none. */
function readConditions(kind: AdminRecords, texts: ParameterTexts) {
  const filters = listParameters(kind);
  const values: Record<string, unknown> = {};
  const faults: FieldFault[] = [];
  for (const { parameter } of filters) {
    const text = texts[parameter];
    if (text === undefined || !kind.list) continue;
    try {
      values[parameter] = validate(kind.list as Type<Record<string, unknown>>, { [parameter]: text })[
        parameter
      ];
    } catch (error) {
      if (!(error instanceof InvalidRecordError)) throw error;
      faults.push(...error.faults);
    }
  }
  return { conditions: conditionsOf(filters, values), faults };
}

/** The values that fields are filtered by. Of one that breaks a rule there is none. */
function readFields(record: Type, texts: FieldTexts): { fields: FieldValues; faults: FieldFault[] } {
  const fields: Record<string, FieldValues[string]> = {};
  const faults: FieldFault[] = [];
  for (const { name, kind } of fieldsOf(record)) {
    const text = texts[name];
    if (text === undefined) continue;
    try {
      // A part of a text need not be as long as the whole, nor match its pattern.
      const read = (
        kind === 'text' ? partOf(name, text) : readValues(record, { [name]: text })
      ) as FieldValues;
      fields[name] = read[name] as FieldValues[string];
    } catch (error) {
      if (!(error instanceof InvalidRecordError)) throw error;
      faults.push(...error.faults);
    }
  }
  return { fields, faults };
}

/** @throws InvalidRecordError */
function partOf(name: string, text: string): FieldValues {
  if (isStorableText(text)) return { [name]: text };
  throw new InvalidRecordError([{ field: name, message: `${name} ${TEXT_RULE}.` }]);
}
