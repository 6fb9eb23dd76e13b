import { Injectable, Module } from '@nestjs/common';
import { describeEachEngine } from '../../../test/support/databases/databases';
import { PUBLISHED, WAITING_EVENT } from '../../../test/support/service/failed-event';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { withFeatures } from '../../../test/support/service/with-features';
import { until } from '../../../test/support/until';
import { Database } from '../database/database';
import { attemptsWithin } from '../jobs/retries';
import { Events } from './events';
import { OnEvent } from './on-event.decorator';
import type { StoredEvent } from './stored-event.entity';
import { StoredEventsRepository } from './stored-events.repository';

class ToySold {
  constructor(readonly toy: string) {}
}

class ToyLost {
  constructor(readonly toy: string) {}
}

@Injectable()
class Till {
  work: (event: ToySold) => void | Promise<void> = () => undefined;

  @OnEvent(ToySold, { delivery: 'durable' })
  async enter(event: ToySold): Promise<void> {
    await this.work(event);
  }

  @OnEvent(ToyLost, { delivery: 'durable', retryHours: 0 })
  async cross(event: ToyLost): Promise<void> {
    await this.work(event);
  }
}

@Module({ providers: [Till], exports: [Till] })
class TillModule {}

describeEachEngine('The delivery of stored events', (engine) => {
  let service: TestService;
  let till: Till;
  let stored: StoredEventsRepository;

  beforeAll(async () => {
    service = await withFeatures({ TillModule }, () => startTestService(engine));
    till = service.app.get(Till, { strict: false });
    stored = service.app.get(StoredEventsRepository, { strict: false });
  });
  afterAll(() => service.stop());

  const left = () => stored.findAfter({ after: 0n, limit: 100 });
  const publish = (toy: string) =>
    service.app
      .get(Database)
      .transaction(() => Promise.resolve(service.app.get(Events).publish(new ToySold(toy))));

  it('ends with an attempt that is the last, and keeps the event and its error for an operator, whatever the error says', async () => {
    const work = jest.fn(({ toy }: ToySold) => {
      if (toy === 'ball') throw new Error('no such\0toy');
    });
    till.work = work;
    const tried = { attempts: attemptsWithin() - 1, dueAt: PUBLISHED };
    const event = { event: 'ToySold', handler: 'Till.enter(ToySold)', payload: '{"toy":"ball"}' };
    await stored.insertMany([{ ...WAITING_EVENT, ...event, ...tried }]);
    await until(async () => (await left()).every(({ failedAt }) => failedAt !== null));
    // When another has been delivered, the process has looked again.
    await publish('cube');
    await until(async () => (await left()).length === 1 && work.mock.calls.length > 1);
    expect(work.mock.calls.map(([{ toy }]) => toy)).toEqual(['ball', 'cube']);
    expect(await left()).toMatchObject([{ attempts: attemptsWithin(), error: 'Error: no such\uFFFDtoy' }]);
    await stored.repository.deleteAll();
  });

  it('goes on after an hour of failures, for a handler may ask what is away for longer', async () => {
    const work = jest.fn(() => {
      throw new Error('away');
    });
    till.work = work;
    const event = { event: 'ToySold', handler: 'Till.enter(ToySold)', payload: '{"toy":"ball"}' };
    await stored.insertMany([{ ...WAITING_EVENT, ...event, attempts: attemptsWithin(1), dueAt: PUBLISHED }]);
    await until(async () => (await left()).some(({ attempts }) => attempts > attemptsWithin(1)));
    await until(async () => (await left()).every(({ lockedBy }) => lockedBy === null));
    expect(await left()).toMatchObject([{ failedAt: null, error: 'Error: away' }]);
    await stored.repository.deleteAll();
  });

  it('ends as soon as a handler says', async () => {
    const work = jest.fn(() => {
      throw new Error('no such toy');
    });
    till.work = work;
    await service.app
      .get(Database)
      .transaction(() => Promise.resolve(service.app.get(Events).publish(new ToyLost('ball'))));
    await until(async () => (await left()).some(({ failedAt }) => failedAt !== null));
    expect(work).toHaveBeenCalledTimes(1);
    await stored.repository.deleteAll();
  });

  it.each([
    { before: 'nothing', error: null, said: 'Error: The process has ended during 15 of 17 attempts.' },
    {
      before: 'an error',
      error: 'Error: away',
      said: 'Error: The process has ended during 15 of 17 attempts. Before: Error: away',
    },
  ])('ends when the process has ended during fifteen attempts, after $before', async ({ error, said }) => {
    const work = jest.fn();
    till.work = work;
    const crashed = { lockedBy: 'gone 1 x', lockedUntil: PUBLISHED };
    const event = { event: 'ToySold', handler: 'Till.enter(ToySold)', payload: '{"toy":"ball"}', error };
    // Not due for the service, which would claim it between.
    const later = new Date('2046-01-01');
    await stored.insertMany([{ ...WAITING_EVENT, ...event, ...crashed, attempts: 3, dueAt: later }]);
    for (let crashes = 0; crashes < 14; crashes++) {
      const lease = { ...crashed, now: later };
      expect(await stored.claim(['Till.enter(ToySold)'], { subjects: 1, ofSubject: 1 }, lease)).toHaveLength(
        1,
      );
    }
    await stored.repository.update({ attempts: 17 }, { dueAt: PUBLISHED });
    await until(async () => (await left()).some(({ failedAt }) => failedAt !== null));
    expect(work).not.toHaveBeenCalled();
    expect(await left()).toMatchObject([{ error: said }]);
    await stored.repository.deleteAll();
  });

  it('ends when the process has ended during the last of all attempts, of which one had failed before', async () => {
    const work = jest.fn();
    till.work = work;
    const event = { event: 'ToySold', handler: 'Till.enter(ToySold)', payload: '{"toy":"ball"}' };
    await stored.insertMany([{ ...WAITING_EVENT, ...event, attempts: attemptsWithin(), dueAt: PUBLISHED }]);
    await until(async () => (await left()).every(({ failedAt }) => failedAt !== null));
    expect(work).not.toHaveBeenCalled();
    expect(await left()).toMatchObject([{ error: expect.stringContaining('Error: away') }]);
    await stored.repository.deleteAll();
  });

  it('holds a lease that no other process extends', async () => {
    const release = Promise.withResolvers<void>();
    till.work = () => release.promise;
    await publish('ball');
    await until(async () => (await left()).every(({ lockedBy }) => lockedBy !== null));
    const [{ id, lockedBy }] = (await left()) as [StoredEvent];
    const later = new Date('2046-01-01');
    await stored.renew([id], 'another', later);
    expect((await stored.findOne(id))?.lockedUntil).not.toEqual(later);
    await stored.renew([id], String(lockedBy), later);
    expect((await stored.findOne(id))?.lockedUntil).toEqual(later);
    release.resolve();
    await until(async () => (await left()).length === 0);
  });
});

describe('The start', () => {
  it('is refused with a time of attempts for a handler that is called once', () => {
    expect(() => OnEvent(ToySold, { retryHours: 1 })).toThrow('retryHours');
  });

  it('is refused with two handlers of stored events of one name', async () => {
    @Module({ providers: [Till, { provide: 'other', useClass: Till }] })
    class NamesakesModule {}
    const started = withFeatures({ NamesakesModule }, () => startTestService('sqlite'));
    await expect(started).rejects.toThrow('Two durable handlers are called Till.enter(ToySold)');
  });
});
