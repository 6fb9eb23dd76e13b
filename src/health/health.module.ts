import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HttpModule } from '../platform/http/http.module';
import { HealthController } from './health.controller';
import { HealthDetailsController } from './health-details.controller';
import { HealthService } from './health.service';
import { LoadCheck } from './load-check';

/** Health for probes on the public port, and in detail on the management port. */
@Module({
  imports: [DiscoveryModule, HttpModule],
  controllers: [HealthController, HealthDetailsController],
  providers: [HealthService, LoadCheck],
  exports: [HealthService],
})
export class HealthModule {}
