import { Module } from '@nestjs/common';
import { DistributionRepository } from './distribution.repository';
import { DistributionService } from './distribution.service';

/** Tables on more than one machine. */
@Module({ providers: [DistributionRepository, DistributionService] })
export class DistributionModule {}
