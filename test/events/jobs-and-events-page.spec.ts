import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { StoredRun } from '../../src/platform/jobs/stored-run.entity';
import { codeBlocksOf } from '../modules/support/guide-blocks';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { addToSchema } from '../support/databases/with-schema';
import { withFeatures } from '../support/service/with-features';
import { Carrier } from './page/carrier';
import { Mails } from './page/mails';
import {
  CreatePageOrders1790000000000,
  Order,
  OrdersRepository,
  OrdersService,
  Refunds,
} from './page/orders';
import { ParcelsController } from './page/parcels.controller';
import { PetWebhook } from './page/pet-webhook';
import { Reports } from './page/reports';
import { Shipping } from './page/shipping';
import { WelcomeMails } from './page/welcome-mails';

const PAGE = 'docs/jobs-and-events.md';
const BLOCKS = codeBlocksOf(readFileSync(join(__dirname, '..', '..', PAGE), 'utf8'));

@Module({
  controllers: [ParcelsController],
  providers: [
    Carrier,
    Mails,
    OrdersRepository,
    OrdersService,
    PetWebhook,
    Refunds,
    Reports,
    Shipping,
    WelcomeMails,
  ],
})
class PageModule {}

/** A file of the folder `page`, as a module of the service would have it. */
function shown(file: string): string {
  return readFileSync(join(__dirname, 'page', file), 'utf8');
}

/** A part of a class, with the indent that it has there. */
function indented(text: string, spaces: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));
}

describe(`What ${PAGE} shows`, () => {
  let service: TestService;
  let takeBack: () => void;
  let mails: Mails;
  /** What was sent to the receiver of webhooks, which refuses each the first time. */
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const receiver = createServer((request, response) => {
    void textOf(request).then((body) => {
      const isRepeated = received.some(
        ({ headers }) => headers['webhook-id'] === request.headers['webhook-id'],
      );
      received.push({ headers: request.headers, body });
      return response.writeHead(isRepeated ? 204 : 503).end();
    });
  });

  beforeAll(async () => {
    takeBack = addToSchema({ entities: [Order], migrations: [CreatePageOrders1790000000000] });
    service = await withFeatures({ PageModule }, () => startTestService('sqlite'));
    mails = service.app.get(Mails);
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    service.app.get(PetWebhook).url = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await service.stop();
    takeBack();
    receiver.close();
    receiver.closeAllConnections();
  });

  it('is compiled and run by these tests', () => {
    const [handler, change, carrier, call, webhook, scheduled, job, ...others] = BLOCKS.filter(
      ({ language }) => language === 'ts',
    );
    expect(handler?.text).toBe(shown('welcome-mails.ts'));
    expect(shown('orders.ts')).toContain(indented(change?.text ?? '-', 4));
    expect(carrier?.text).toBe(shown('carrier.ts'));
    expect(shown('parcels.controller.ts')).toContain(indented(call?.text ?? '-', 2));
    expect(webhook?.text).toBe(shown('pet-webhook.ts'));
    expect(shown('reports.ts')).toContain(indented(scheduled?.text ?? '-', 2));
    expect(job?.text).toBe(shown('shipping.ts'));
    expect(others).toEqual([]);
  });

  it('has a handler that hears of an event once, with an id', async () => {
    expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 3 })).status).toBe(201);
    await until(() => mails.sent.length > 0);
    expect(mails.sent).toEqual([{ messageId: expect.stringMatching(/^\d+$/), text: 'Welcome, Rex!' }]);
  });

  it('has a webhook that is repeated under its id, and whose signature Standard Webhooks accepts', async () => {
    await service.post('/v1/pets', { name: 'Bella', categoryId: 3 });
    const ofBella = () => received.filter(({ body }) => body.includes('Bella'));
    await until(() => ofBella().length === 2);
    const ids = ofBella().map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([expect.stringMatching(/^\d+$/), ids[0]]);
    const { secret } = service.app.get(PetWebhook);
    for (const { headers, body } of ofBella()) {
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      const expected = createHmac('sha256', Buffer.from(secret.split('_')[1] ?? '', 'base64')).update(signed);
      expect(headers['webhook-signature']).toBe(`v1,${expected.digest('base64')}`);
      expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(300);
    }
  });

  it('publishes an event in the transaction of its change', async () => {
    const orders = service.app.get(OrdersRepository);
    const cancel = (order: Order) => service.app.get(OrdersService).cancel(order);
    const [first, second] = await orders.insertMany([{ status: 'placed' }, { status: 'placed' }]);
    service.app.get(Refunds).refused.add((second as Order).id);
    await cancel(first as Order);
    await expect(cancel(second as Order)).rejects.toThrow('This order was sent.');
    const { items } = await orders.findPage({ limit: 2 });
    expect(items.map(({ status }) => status)).toEqual(['cancelled', 'placed']);
    const refunds = () => mails.sent.filter(({ messageId }) => messageId.startsWith('refund-'));
    await until(() => refunds().length > 0);
    expect(refunds()).toMatchObject([{ messageId: `refund-${(first as Order).id}` }]);
  });

  it('retries a slow and then broken carrier under one key, and serves others meanwhile', async () => {
    const keys: unknown[] = [];
    const replies: ((response: ServerResponse) => void)[] = [
      () => undefined,
      (response) => void response.writeHead(500).end(),
      (response) => void response.end('L-1'),
    ];
    const carrier = createServer((request, response) => {
      keys.push(request.headers['idempotency-key']);
      replies.shift()?.(response);
    }).listen(0, '127.0.0.1');
    await once(carrier, 'listening');
    service.app.get(Carrier).url = `http://127.0.0.1:${(carrier.address() as AddressInfo).port}`;
    const [order] = await service.app.get(OrdersRepository).insertMany([{ status: 'placed' }]);
    const send = () =>
      service.post(`/v1/page-orders/${order?.id}/parcels`, undefined, { 'Idempotency-Key': 'parcel' });
    const sent = send();
    await until(() => keys.length === 1);
    expect((await service.post('/v1/pets', { name: 'Beside', categoryId: 3 })).status).toBe(201);
    const first = await sent;
    expect([first.status, await first.json()]).toEqual([201, { label: 'L-1' }]);
    const again = await send();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(keys).toEqual(Array(3).fill(`order-${order?.id}`));
    expect(await service.app.get(OrdersRepository).findOne(order?.id ?? 0n)).toMatchObject({
      status: 'sent',
    });
    carrier.close();
    carrier.closeAllConnections();
  });

  it('ships orders in a job, and says how many are shipped', async () => {
    const carrier = createServer((_request, response) => void response.end('L-2')).listen(0, '127.0.0.1');
    await once(carrier, 'listening');
    service.app.get(Carrier).url = `http://127.0.0.1:${(carrier.address() as AddressInfo).port}`;
    const placed = { status: 'placed' };
    const orders = await service.app.get(OrdersRepository).insertMany([placed, placed, placed]);
    await service.app.get(Shipping).start(orders.map(({ id }) => Number(id)));
    const runs = () => service.app.get(DataSource).getRepository(StoredRun).find();
    await until(async () => (await runs()).some(({ state }) => state === 'finished'));
    expect(await runs()).toMatchObject([{ job: 'Shipping.ship', done: 3n, total: 3n }]);
    for (const { id } of orders)
      expect(await service.app.get(OrdersRepository).findOne(id)).toMatchObject({ status: 'sent' });
    carrier.close();
    carrier.closeAllConnections();
  });
});
