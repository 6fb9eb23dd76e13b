import { defineError } from '../../platform/errors/app-error';

/** No event with this id is stored. */
export class EventNotFoundError extends defineError({
  code: 'failed_event_not_found',
  status: 404,
  message: 'There is no such stored event.',
}) {
  constructor(id: bigint | string) {
    super(`There is no stored event ${id}.`);
  }
}

/** A handler has the event at the moment. */
export class EventInDeliveryError extends defineError({
  code: 'event_in_delivery',
  status: 409,
  message: 'A handler has this event at the moment.',
}) {
  constructor(id: bigint) {
    super(`A handler works on event ${id}. Decide when the handler has ended.`);
  }
}

/** No scheduled job has this name. */
export class JobNotFoundError extends defineError({
  code: 'job_not_found',
  status: 404,
  message: 'There is no such scheduled job.',
}) {
  constructor(name: string) {
    super(`There is no scheduled job ${name}.`);
  }
}

/** The scheduled job is not paused. */
export class JobNotPausedError extends defineError({
  code: 'job_not_paused',
  status: 409,
  message: 'This scheduled job is not paused.',
}) {
  constructor(name: string) {
    super(`The scheduled job ${name} is not paused.`);
  }
}

/** No run of a job has this id. */
export class RunNotFoundError extends defineError({
  code: 'job_run_not_found',
  status: 404,
  message: 'There is no such run of a job.',
}) {
  constructor(id: bigint | string) {
    super(`There is no run ${id} of a job.`);
  }
}

/** A process has the run at the moment. */
export class RunInProgressError extends defineError({
  code: 'job_run_in_progress',
  status: 409,
  message: 'A process has this run at the moment.',
}) {
  constructor(id: bigint) {
    super(`A process works on run ${id}. Stop the run, and decide when the run has ended.`);
  }
}

/** The run has ended. */
export class RunOverError extends defineError({
  code: 'job_run_over',
  status: 409,
  message: 'This run is over.',
}) {
  constructor(id: bigint) {
    super(`Run ${id} is over.`);
  }
}
