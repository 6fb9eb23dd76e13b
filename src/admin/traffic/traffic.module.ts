import { Module } from '@nestjs/common';
import { TrafficRetentionJob } from './traffic-retention-job';
import { TrafficRecorder } from './traffic-recorder.service';
import { TrafficRepository } from './traffic.repository';
import { TrafficService } from './traffic.service';

/** Records which processes serve, and the requests they have served lately. */
@Module({
  providers: [TrafficRetentionJob, TrafficRecorder, TrafficRepository, TrafficService],
  exports: [TrafficService],
})
export class TrafficModule {}
