import { Injectable, Module } from '@nestjs/common';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { setDate } from '../../../test/support/processes/set-date';
import { until } from '../../../test/support/until';
import { withFeatures } from '../../../test/support/service/with-features';
import { Database } from '../database/database';
import { Events } from './events';
import { type DeliveryAttempt, OnEvent } from './on-event.decorator';
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
});
