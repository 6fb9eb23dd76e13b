import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import { Public } from '../../src/platform/security/access.decorators';

/** Something the feature depends on. */
@Injectable()
export class Warehouse {
  isOpen = true;
}

@Injectable()
class WarehouseHealthIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly warehouse: Warehouse,
  ) {}

  check(key: string) {
    const indicator = this.indicators.check(key);
    return this.warehouse.isOpen ? indicator.up() : indicator.down({ reason: 'closed' });
  }
}

/** The example of @nestjs/terminus. */
@Public()
@Controller('checks')
class ChecksController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly warehouse: WarehouseHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([() => this.warehouse.check('warehouse')]);
  }
}

@Module({
  imports: [TerminusModule],
  controllers: [ChecksController],
  providers: [Warehouse, WarehouseHealthIndicator],
})
export class ChecksModule {}
