import { Injectable } from '@nestjs/common';
import { Retention } from '../../platform/jobs/retention';
import { Scheduled } from '../../platform/jobs/scheduled.decorator';
import { KEPT_MS, minuteOf } from './traffic-recorder.service';
import { TrafficRepository } from './traffic.repository';

/** Deletes counts of requests served long ago, and the processes that served them. */
@Injectable()
export class TrafficRetentionJob {
  constructor(
    private readonly traffic: TrafficRepository,
    private readonly retention: Retention,
  ) {}

  @Scheduled('*/10 * * * *', { title: 'Remove old figures of traffic', runsInReadOnlyMode: true })
  run(): Promise<void> {
    return this.retention.run((now) => {
      const before = now - KEPT_MS;
      return [
        () => this.traffic.deleteMinutesBefore(minuteOf(before)),
        () => this.traffic.deleteProcessesBefore(new Date(before)),
      ];
    });
  }
}
