import { Injectable } from '@nestjs/common';
import { Entity, type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes, GeneratedInt64Key, TextColumn } from '../../../src/platform/database/column-types';
import { Database } from '../../../src/platform/database/database';
import { EntityRepository } from '../../../src/platform/database/entities/entity-repository';
import { Events } from '../../../src/platform/events/events';
import { OnEvent } from '@petstore/platform';
import type { Created } from '../../../src/platform/http/response/created';
import { Mails } from './mails';

@Entity('page_orders')
export class Order {
  @GeneratedInt64Key('pk_page_orders')
  id!: bigint;

  @TextColumn()
  status!: string;
}

export class CreatePageOrders1790000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { int64, text } = columnTypes(queryRunner);
    const id = {
      name: 'id',
      type: int64,
      isPrimary: true,
      isGenerated: true,
      generationStrategy: 'increment',
      primaryKeyConstraintName: 'pk_page_orders',
    } as const;
    await queryRunner.createTable(
      new Table({ name: 'page_orders', columns: [id, { name: 'status', type: text }] }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('page_orders');
  }
}

@Injectable()
export class OrdersRepository extends EntityRepository<Order> {
  constructor(database: Database) {
    super(database, Order);
  }
}

export class OrderCancelled {
  readonly subject = `page-orders/${this.orderId}`;

  constructor(readonly orderId: bigint) {}
}

@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly events: Events,
  ) {}

  cancel(order: Order): Promise<void> {
    return this.events.transactionFor(OrderCancelled, async () => {
      order.status = 'cancelled';
      await this.orders.update(order);
      this.events.publish(new OrderCancelled(order.id));
    });
  }

  async send(id: bigint, label: string): Promise<Created<{ label: string }>> {
    await this.orders.update({ id, status: 'sent' });
    return { item: { label }, path: `/page-orders/${id}/parcels` };
  }
}

/** Hears of each cancelled order, and keeps those from being cancelled that must not be. */
@Injectable()
export class Refunds {
  readonly refused = new Set<bigint>();

  constructor(private readonly mails: Mails) {}

  @OnEvent(OrderCancelled, { delivery: 'transaction' })
  check({ orderId }: OrderCancelled): void {
    if (this.refused.has(orderId)) throw new Error('This order was sent.');
  }

  @OnEvent(OrderCancelled, { delivery: 'durable' })
  async refund({ orderId }: OrderCancelled): Promise<void> {
    await this.mails.send({ messageId: `refund-${orderId}`, text: 'Your money is on its way.' });
  }
}
