import { Module } from '@nestjs/common';
import { DistributionRepository } from './distribution.repository';
import { DistributionService } from './distribution.service';
import { WorkersHealth } from './workers-health';

/** Distribution of tables over several machines. */
@Module({ providers: [DistributionRepository, DistributionService, WorkersHealth] })
export class DistributionModule {}
