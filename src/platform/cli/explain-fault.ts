import { AppError } from '../errors/app-error';

/** What went wrong, for the operator: sentences, never a stack. */
export function explainFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Its message is meant for clients of the service; the operator wants the cause.
  if (error instanceof AppError && error.cause instanceof Error) {
    return `The database cannot serve at the moment: ${error.cause.message}.`;
  }
  return error.message || error.name;
}
