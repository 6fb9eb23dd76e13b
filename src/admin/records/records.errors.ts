import { defineError, type FieldFault } from '../../platform/errors/app-error';

/** The values given for a record break the rules of its fields. */
export class InvalidRecordError extends defineError({
  code: 'invalid_record',
  status: 422,
  message: 'The values break the rules of the fields.',
}) {
  declare readonly faults: readonly FieldFault[];

  /** @param separator the separator between the sentences about the fields */
  constructor(faults: readonly FieldFault[], separator = ' ') {
    super({ message: faults.map(({ message }) => message).join(separator), faults });
  }
}

/** An error whose message names the record that it is about. */
export interface NamingError {
  /** Kind and id of the record: `pet 17`. */
  readonly record: string;
}

/** The record does not exist. */
export class RecordNotFoundError
  extends defineError({
    code: 'record_not_found',
    status: 404,
    message: 'There is no such record.',
  })
  implements NamingError
{
  readonly record: string;

  constructor(one: string, id: bigint) {
    super(`There is no ${one} ${id}.`);
    this.record = `${one} ${id}`;
  }
}

/** The change does not exist. */
export class ChangeNotFoundError extends defineError({
  code: 'change_not_found',
  status: 404,
  message: 'There is no such change.',
}) {
  constructor(kind: string, id: bigint) {
    super(`No change ${id} of ${kind} is recorded.`);
  }
}

/** The operation is not possible in the present state. */
export const RecordRefusedError = defineError({
  code: 'record_refused',
  status: 409,
  message: 'This cannot be done with the record in its present state.',
});

/** The record is removed. */
export class RecordRemovedError extends RecordRefusedError implements NamingError {
  readonly record: string;

  /** @param by the caller who removed it, as far as is known */
  constructor(one: string, id: bigint, by: string | undefined) {
    super(`The ${one} ${id} was removed${by ? ` by ${by}` : ''}.`);
    this.record = `${one} ${id}`;
  }
}

/** A value that would be put back is erased. */
export class ValueErasedError extends RecordRefusedError {}

/** The record is not removed, so it cannot be restored. */
export class RecordNotRemovedError extends RecordRefusedError implements NamingError {
  readonly record: string;

  constructor(one: string, id: bigint) {
    super(`The ${one} ${id} is not removed.`);
    this.record = `${one} ${id}`;
  }
}

/** Another caller changed the record after this one read it. */
export class RecordChangedError
  extends defineError({
    code: 'record_changed',
    status: 409,
    message: 'The record was changed meanwhile.',
  })
  implements NamingError
{
  readonly record: string;

  /** @param by the caller who changed it, as far as is known */
  constructor(one: string, id: bigint, by: string) {
    super(`The ${one} ${id} was changed meanwhile by ${by}. Check it again before you change it.`);
    this.record = `${one} ${id}`;
  }
}
