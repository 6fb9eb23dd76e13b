import { defineError } from '../../../platform/errors/app-error';

/** No operation has this name; in a usage report, no counted call has it either. */
export class UnknownOperationError extends defineError({
  code: 'unknown_operation',
  status: 404,
  message: 'There is no such operation.',
}) {
  constructor(operation: string) {
    super(`There is no operation ${operation}.`);
  }
}
