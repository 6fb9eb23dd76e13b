/** What is wrong with one field. */
export interface FieldFault {
  readonly field: string;
  /** One sentence that names the field. */
  readonly message: string;
}

/** What was given for a record breaks the rules of its fields. */
export class InvalidRecord extends Error {
  constructor(readonly faults: readonly FieldFault[]) {
    super(faults.map(({ message }) => message).join(' '));
  }
}

/** There is no such record. */
export class RecordNotFound extends Error {
  constructor(one: string, id: bigint) {
    super(`There is no ${one} ${id}.`);
  }
}

/** What is asked for cannot be done as things are; the message is for the operator. */
export class RecordsRefusal extends Error {}

/** The record was changed by another caller after this one read it. */
export class ChangedMeanwhile extends RecordsRefusal {
  /** @param by who, as far as is known */
  constructor(
    one: string,
    id: bigint,
    readonly by: string,
  ) {
    super(`The ${one} ${id} was changed meanwhile by ${by}. Look at it again before you change it.`);
  }
}
