import { Module } from '@nestjs/common';
import { DistributionRepository } from './distribution.repository';
import { DistributionService } from './distribution.service';
import { CitusHealth } from './workers-health';

/** Distribution of tables over several machines. */
@Module({ providers: [DistributionRepository, DistributionService, CitusHealth] })
export class DistributionModule {}
