import { defineError } from '../../platform/errors/app-error';

/** The requested plan is not possible. */
export class InvalidPlanError extends defineError({
  code: 'invalid_plan',
  status: 422,
  message: 'The brownouts cannot be planned.',
  isForOperators: true,
}) {
  /** @param field the part of the plan at fault */
  constructor(field: 'first' | 'last' | 'at' | 'every' | 'lengths' | 'value', message: string) {
    super({ message, faults: [{ field, message }] });
  }
}

/** No operation of this name is deprecated. */
export class NotDeprecatedError extends defineError({
  code: 'not_deprecated',
  status: 404,
  message: 'There is no such deprecated operation.',
  isForOperators: true,
}) {
  constructor(operation: string, deprecated: readonly string[]) {
    const known = deprecated.length === 0 ? 'none is deprecated' : `those are ${deprecated.join(', ')}`;
    const message = `There is no deprecated operation ${operation}; ${known}.`;
    super({ message, faults: [{ field: 'operation', message }] });
  }
}
