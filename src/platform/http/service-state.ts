import { Injectable } from '@nestjs/common';
import type { AppError } from '../errors/app-error';
import { ServiceUnavailableError } from '../errors/http-errors';

/**
 * Stages of this process on its way out: `serving`; `leaving`, which is still serving, but not ready any more, so that load
 * balancers take it out; `draining`, which finishes what runs and refuses late requests with 503.
 */
export type ServiceStage = 'serving' | 'leaving' | 'draining';

/** Stage of the process between its start and its end. It goes one way. */
@Injectable()
export class ServiceState {
  private current: ServiceStage = 'serving';

  get state(): ServiceStage {
    return this.current;
  }

  /** Makes the process call itself not ready from now on. */
  leave(): void {
    if (this.current === 'serving') this.current = 'leaving';
  }

  /** Makes requests late from now on. */
  drain(): void {
    this.current = 'draining';
  }
}

/** The response to who comes too late, or asks whether a process that is stopping is ready. */
export function stoppingError(): AppError {
  return new ServiceUnavailableError({
    message: 'The service is stopping and takes no more requests here; try again.',
    headers: { Connection: 'close' },
  });
}
