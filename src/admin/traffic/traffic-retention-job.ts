import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../platform/database/database-clock';
import { RetentionJob } from '../../platform/database/entities/retention-job';
import { InjectLogger, type Logger } from '../../platform/logging/logging.module';
import { KEPT_MS, MINUTE_MS, minuteOf } from './traffic-recorder.service';
import { TrafficRepository } from './traffic.repository';

/** Deletes counts of requests served long ago, and the processes that served them. */
@Injectable()
export class TrafficRetentionJob extends RetentionJob {
  constructor(
    private readonly traffic: TrafficRepository,
    clock: DatabaseClock,
    @InjectLogger() logger: Logger,
  ) {
    super(clock, logger, {
      intervalMs: 10 * MINUTE_MS,
      warning: 'Old traffic could not be removed; the next attempt is in ten minutes.',
    });
  }

  protected batches(now: number) {
    const before = now - KEPT_MS;
    return [
      () => this.traffic.deleteMinutesBefore(minuteOf(before)),
      () => this.traffic.deleteProcessesBefore(new Date(before)),
    ];
  }
}
