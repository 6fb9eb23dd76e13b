import { Injectable, Module } from '@nestjs/common';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { PUBLISHED, WAITING_EVENT } from '../../../test/support/service/failed-event';
import { setDate } from '../../../test/support/fake-only';
import { until } from '../../../test/support/until';
import { withFeatures } from '../../../test/support/service/with-features';
import { Database } from '../database/database';
import { EventDeliverer } from './event-deliverer.service';
import { Events } from './events';
import { type DeliveryAttempt, OnEvent } from './on-event.decorator';
import type { StoredEvent } from './stored-event.entity';
import { EVENTS_PER_COUNT, StoredEventsRepository } from './stored-events.repository';

/** A change of a toy, numbered in the order of the changes. */
class ToyMoved {
  constructor(
    readonly toy: string,
    readonly number: number,
    readonly at?: Date,
    readonly price?: bigint,
  ) {}

  get subject(): string {
    return this.toy;
  }
}

@Injectable()
class Ledger {
  readonly entries: { event: object; attempt: DeliveryAttempt }[] = [];
  work: (event: ToyMoved, attempt: DeliveryAttempt) => void | Promise<void> = () => undefined;
  check: (event: ToyMoved) => void | Promise<void> = () => undefined;

  @OnEvent(ToyMoved, { delivery: 'durable' })
  async enter(event: ToyMoved, attempt: DeliveryAttempt): Promise<void> {
    await this.work(event, attempt);
    this.entries.push({ event, attempt });
  }

  @OnEvent(ToyMoved, { delivery: 'transaction' })
  async verify(event: ToyMoved): Promise<void> {
    await this.check(event);
  }
}

@Module({ providers: [Ledger], exports: [Ledger] })
class LedgerModule {}

describeEachEngine('Stored events', (engine) => {
  let service: TestService;
  let ledger: Ledger;
  let events: Events;
  let database: Database;
  let stored: StoredEventsRepository;

  beforeAll(async () => {
    service = await withFeatures({ LedgerModule }, () => startTestService(engine));
    const { app } = service;
    ledger = app.get(Ledger, { strict: false });
    events = app.get(Events);
    database = app.get(Database);
    stored = app.get(StoredEventsRepository, { strict: false });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    ledger.entries.length = 0;
    ledger.work = ledger.check = () => undefined;
  });

  const published = engine === 'sqlite' ? `'2026-01-01 00:00:00.000'` : `timestamptz '2026-01-01 00:00:00Z'`;
  const publish = (...moves: ToyMoved[]) =>
    database.transaction(async () => moves.forEach((move) => events.publish(move)));
  const left = () => stored.findAfter({ after: 0n, limit: 100 });

  it('reach their handler as instances of their class, and are then deleted', async () => {
    const move = new ToyMoved('ball', 1, new Date('2026-01-31T12:00:00.123Z'), 2n ** 62n + 1n);
    await publish(move);
    await until(() => ledger.entries.length === 1);
    const [{ event, attempt }] = ledger.entries as [(typeof ledger.entries)[number]];
    expect(event).toBeInstanceOf(ToyMoved);
    expect(event).toEqual(move);
    expect(attempt).toEqual({ id: expect.stringMatching(/^[1-9]\d*$/) as string, attempt: 1 });
    await until(async () => (await left()).length === 0);
  });

  it('are written in the transaction that publishes them, and not when it is rolled back', async () => {
    const work = database.transaction(async () => {
      events.publish(new ToyMoved('ball', 1));
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    expect(await left()).toEqual([]);
  });

  it('are counted up to a limit, and on SQLite without blocking the connection of the service', async () => {
    const scans = database.scans && jest.spyOn(database.scans, 'run');
    await database.dataSource.query(`
      INSERT INTO stored_events (event, handler, consumer, payload, published_at, attempts, due_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${EVENTS_PER_COUNT})
      SELECT 'Gone', 'Gone.take(Gone)', 'Gone', '{}', ${published}, 0, ${published} FROM n`);
    const [gone] = await stored.backlogs();
    expect(gone).toMatchObject({ handler: 'Gone.take(Gone)', waiting: EVENTS_PER_COUNT, failed: 0 });
    expect(gone?.oldest).toEqual(new Date('2026-01-01T00:00:00.000Z'));
    if (scans) expect(scans).toHaveBeenCalled();
    await database.dataSource.query(`DELETE FROM stored_events WHERE handler = 'Gone.take(Gone)'`);
  });

  it('roll back their transaction when a handler in it refuses them', async () => {
    ledger.check = () => {
      throw new Error('no such shelf');
    };
    await expect(publish(new ToyMoved('ball', 1))).rejects.toThrow('no such shelf');
    expect(await left()).toEqual([]);
  });

  it('cannot be published outside a transaction, where they could be lost', () => {
    expect(() => events.publish(new ToyMoved('ball', 1))).toThrow(
      'ToyMoved must be published in a transaction, because Ledger.enter(ToyMoved) must not miss it',
    );
  });

  it('are handled again under the same id until the handler succeeds', async () => {
    const attempts: DeliveryAttempt[] = [];
    ledger.work = (_event, attempt) => {
      attempts.push(attempt);
      if (attempts.length < 3) throw new Error('not yet');
    };
    await publish(new ToyMoved('ball', 1));
    await until(() => ledger.entries.length === 1);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    await until(async () => (await left()).length === 0);
    expect(service.log()).toContain('A handler of a stored event failed; it will be called again later.');
  });

  it('are not handled twice when the clock is set an hour ahead while their handler runs', async () => {
    const release = Promise.withResolvers<void>();
    let begun = 0;
    ledger.work = ({ toy }) => {
      if (toy !== 'ball') return undefined;
      begun += 1;
      return release.promise;
    };
    await publish(new ToyMoved('ball', 1));
    await until(() => begun === 1);
    setDate(Date.now() + 3_600_000);
    try {
      for (const number of [1, 2]) {
        await publish(new ToyMoved('cube', number));
        await until(() => ledger.entries.length === number);
      }
    } finally {
      jest.useRealTimers();
    }
    expect(begun).toBe(1);
    release.resolve();
    await until(async () => (await left()).length === 0);
  });

  it('are handled one after the other for one subject, and at the same time for others', async () => {
    const release = Promise.withResolvers<void>();
    ledger.work = ({ toy, number }) => (toy === 'ball' && number === 1 ? release.promise : undefined);
    await publish(...['ball', 'cube'].flatMap((toy) => [1, 2, 3].map((number) => new ToyMoved(toy, number))));
    await until(() => ledger.entries.length === 3);
    const heard = () =>
      ledger.entries.map(({ event }) => `${(event as ToyMoved).toy} ${(event as ToyMoved).number}`);
    expect(heard()).toEqual(['cube 1', 'cube 2', 'cube 3']);
    release.resolve();
    await until(() => ledger.entries.length === 6);
    expect(heard().slice(3)).toEqual(['ball 1', 'ball 2', 'ball 3']);
    await until(async () => (await left()).length === 0);
  });

  it('of one subject are claimed together, up to one that was tried before or that another handler gets', async () => {
    const store = (...rows: Partial<StoredEvent>[]) =>
      stored.insertMany(
        rows.map((row) => ({ ...WAITING_EVENT, dueAt: PUBLISHED, attempts: 0, handler, ...row })),
      );
    const handler = 'Mails.welcome(Gone)';
    const claim = (lockedBy: string, now: Date) =>
      stored.claim(
        [handler],
        { subjects: 20, ofSubject: 3 },
        { lockedBy, now, lockedUntil: new Date('2046-01-01') },
      );
    const rows = await store(
      ...[1, 2, 3, 4].map(() => ({ subject: 'long' })),
      ...[0, 0, 1].map((attempts) => ({ subject: 'tried', attempts })),
      ...[2, 0].map((attempts) => ({ subject: 'retried', attempts })),
      ...[handler, 'Mails.other(Gone)', handler].map((name) => ({ subject: 'mixed', handler: name })),
      { subject: null },
      { subject: null },
    );
    const numbers = (lists: readonly (readonly { id: bigint }[])[]) =>
      lists.map((list) => list.map(({ id }) => rows.findIndex((row) => row.id === id)));
    const now = new Date('2036-01-01');
    const first = await claim('one', now);
    expect(numbers(first)).toEqual([[0, 1, 2], [4, 5], [7], [9], [12], [13]]);
    expect(first.flat().map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 3, 1, 1, 1]);
    expect(await claim('another', now)).toEqual([]);
    // The process has died: what it had comes one by one, so that an event that ends processes is found.
    expect(numbers(await claim('another', new Date('2047-01-01')))).toEqual([[0], [4], [7], [9], [12], [13]]);
    await stored.release([rows[0]?.id ?? 0n, rows[1]?.id ?? 0n], 'another');
    expect(await stored.findOne(rows[0]?.id ?? 0n)).toMatchObject({
      attempts: 1,
      lockedBy: null,
      lockedUntil: null,
    });
    expect(await stored.findOne(rows[1]?.id ?? 0n)).toMatchObject({ attempts: 1, lockedBy: 'one' });
    await stored.repository.delete({ handler });
    await stored.repository.delete({ handler: 'Mails.other(Gone)' });
  });

  it('wait for one of their subject that fails, without an attempt of their own', async () => {
    ledger.work = ({ number }, { attempt }) => {
      if (number === 2 && attempt < 3) throw new Error('not yet');
    };
    await publish(...[1, 2, 3, 4].map((number) => new ToyMoved('ball', number)));
    await until(() => ledger.entries.length === 4);
    const heard = ledger.entries.map(({ event, attempt }) => [(event as ToyMoved).number, attempt.attempt]);
    expect(heard).toEqual([
      [1, 1],
      [2, 3],
      [3, 1],
      [4, 1],
    ]);
    await until(async () => (await left()).length === 0);
  });

  it('are not begun after one of their subject that another process has taken over', async () => {
    const taken = Promise.withResolvers<void>();
    ledger.work = () => taken.promise;
    await publish(...[1, 2, 3].map((number) => new ToyMoved('ball', number)));
    await until(async () => (await left()).every(({ lockedBy }) => lockedBy !== null));
    const work = jest.spyOn(ledger, 'work');
    await stored.repository.updateAll({ lockedBy: 'another', lockedUntil: new Date('2046-01-01') });
    taken.resolve();
    await until(() => ledger.entries.length === 1);
    await publish(new ToyMoved('cube', 1));
    await until(() => ledger.entries.length === 2);
    await until(async () => (await left()).length === 3);
    expect(work).toHaveBeenCalledTimes(1);
    expect(await left()).toMatchObject([1, 2, 3].map(() => ({ lockedBy: 'another' })));
    await stored.repository.deleteAll();
  });

  it('are given back when the process stops before they are begun', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ledger.work = () => promise;
    await publish(...[1, 2, 3].map((number) => new ToyMoved('ball', number)));
    await until(async () => (await left()).every(({ lockedBy }) => lockedBy !== null));
    // It is being claimed at the stop.
    await publish(new ToyMoved('cube', 1));
    const stopped = service.app.get(EventDeliverer, { strict: false }).onApplicationShutdown();
    resolve();
    await stopped;
    const released = { attempts: 0, lockedBy: null, lockedUntil: null };
    expect(await left()).toMatchObject([released, released, { subject: 'cube', ...released }]);
  });
});
