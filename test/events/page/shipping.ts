import { Injectable } from '@nestjs/common';
import { IsInt } from 'class-validator';
import { Job, type JobRun, Jobs } from '@petstore/platform';
import { Carrier } from './carrier';
import { OrdersService } from './orders';

export class ShipOrders {
  @IsInt({ each: true })
  orderIds!: number[];
}

@Injectable()
export class Shipping {
  constructor(
    private readonly jobs: Jobs,
    private readonly carrier: Carrier,
    private readonly orders: OrdersService,
  ) {}

  /** Returns the id of the run. */
  start(orderIds: number[]): Promise<bigint> {
    return this.jobs.start(ShipOrders, { orderIds });
  }

  @Job(ShipOrders, { title: 'Ship orders' })
  async ship({ orderIds }: ShipOrders, run: JobRun<number>): Promise<void> {
    for (const [index, id] of orderIds.entries().drop(run.cursor ?? 0)) {
      // May be called again after a restart: the key makes it one parcel.
      const label = await this.carrier.book(`order-${id}`);
      const done = index + 1;
      await run.step(() => this.orders.send(BigInt(id), label), {
        cursor: done,
        done,
        total: orderIds.length,
      });
    }
  }
}
