import type { StoredRecord } from './stored-record';

/** Whether removed records are meant, where they are kept. */
export type RemovedRecords = 'without' | 'only' | 'with';

/** A stretch of time; open where there is no instant. */
export interface TimeSpan {
  /** At this instant or later. */
  readonly from?: Date | undefined;
  /** Before this instant. */
  readonly to?: Date | undefined;
}

/** Which records are meant; what is not set does not matter. */
export interface RecordFilter {
  readonly id?: bigint | undefined;
  /** Values by field: of a text a part, in any letter case of ASCII; of anything else the very value. */
  readonly fields?: Readonly<Record<string, string | number | bigint | boolean>>;
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
}

/** One page of a search. */
export interface RecordWindow {
  readonly order?: RecordOrder | undefined;
  /** The last record of the page before; unset for the first page. */
  readonly after?: RecordPlace | undefined;
  readonly limit: number;
}

/** Where a record stands in an order. */
export interface RecordPlace {
  /** What it is ordered by. */
  readonly value: unknown;
  readonly id: bigint;
}

/** The place of a record in an order. */
export function placeOf({ values, createdAt }: StoredRecord, order: RecordOrder): RecordPlace {
  const value = order.by === 'createdAt' ? createdAt : values[order.by];
  return { value: value ?? null, id: values.id };
}
