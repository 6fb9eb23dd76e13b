import { defineError } from '../../platform/errors/app-error';

/** No event with this id waits for an operator's decision. */
export class FailedEventNotFoundError extends defineError({
  code: 'failed_event_not_found',
  status: 404,
  message: 'There is no such failed event.',
  isForOperators: true,
}) {
  constructor(id: bigint | string) {
    super(`There is no failed event ${id}.`);
  }
}

/** No scheduled job has this name. */
export class JobNotFoundError extends defineError({
  code: 'job_not_found',
  status: 404,
  message: 'There is no such scheduled job.',
  isForOperators: true,
}) {
  constructor(name: string) {
    super(`There is no scheduled job ${name}.`);
  }
}
