import { Module } from '@nestjs/common';
import { DistributionRepository } from './distribution.repository';
import { DistributionService } from './distribution.service';
import { WorkersHealth } from './workers-health';

/** Tables on more than one machine. */
@Module({ providers: [DistributionRepository, DistributionService, WorkersHealth] })
export class DistributionModule {}
