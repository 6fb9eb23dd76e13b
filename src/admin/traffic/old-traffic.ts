import { Injectable } from '@nestjs/common';
import { Sweep } from '../../platform/database/sweep';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { MINUTE_MS } from './traffic-recorder.service';
import { TrafficRepository } from './traffic.repository';

/** How long what was served and who served it is kept, in milliseconds. */
export const KEPT_MS = 48 * 60 * MINUTE_MS;

/** Forgets what was served long ago, and by whom. */
@Injectable()
export class OldTraffic extends Sweep {
  constructor(
    private readonly traffic: TrafficRepository,
    @InjectLogger() logger: Logger,
  ) {
    super(logger, {
      intervalMs: 10 * MINUTE_MS,
      warning: 'Old traffic could not be removed; the next attempt is in ten minutes.',
    });
  }

  protected batches() {
    const before = Date.now() - KEPT_MS;
    return [
      () => this.traffic.deleteMinutesBefore(Math.floor(before / MINUTE_MS)),
      () => this.traffic.deleteProcessesBefore(new Date(before)),
    ];
  }
}
