import { setImmediate as turn } from 'node:timers/promises';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../../test/support/databases/databases';
import {
  openSampleDatabase,
  Sample,
  type SampleDatabase,
} from '../../../test/support/databases/sample-database';
import { until } from '../../../test/support/until';
import { Database } from '../database/database';
import { DatabaseClock } from '../database/database-clock';
import { SchemaReadiness } from '../database/schema/schema-state';
import { createLogger } from '../logging/logger';
import { FaultLog } from '../logging/fault-log';
import { LOGGER } from '../logging/logging.module';
import { DecoratedMethods } from '../jobs/decorated-methods';
import { ReadOnlyMode } from '../read-only/read-only-mode';
import { Metrics } from '../telemetry/metrics';
import { EventDeliverer } from './event-deliverer.service';
import { EventHandlers } from './event-handlers';
import { EventMetrics } from './event-metrics';
import { Events } from './events';
import { OnEvent } from './on-event.decorator';
import { StoredEventsRepository } from './stored-events.repository';

class ToyAdded {
  constructor(readonly name: string) {}
}

class ToyRemoved {
  constructor(readonly name: string) {}
}

class ToyForgotten {}

@Injectable()
class Listener {
  readonly heard: object[] = [];

  @OnEvent(ToyAdded)
  onAdded(event: ToyAdded): void {
    this.heard.push(event);
  }

  @OnEvent(ToyRemoved)
  onRemoved(event: ToyRemoved): void {
    this.heard.push(event);
  }
}

/** Turns the event loop so often that what has nothing to wait for is over. */
async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await turn();
}

/** Runs the work that the test sets for an event. */
@Injectable()
class Worker {
  work: (event: ToyAdded) => void | Promise<void> = () => undefined;

  @OnEvent(ToyAdded)
  onAdded(event: ToyAdded): void | Promise<void> {
    return this.work(event);
  }
}

describeEachEngine('Events', (engine) => {
  let samples: SampleDatabase;
  let app: INestApplicationContext;
  let database: Database;
  let events: Events;
  let listener: Listener;
  let worker: Worker;
  let errors: string[];

  beforeEach(async () => {
    samples = await openSampleDatabase(engine);
    errors = [];
    const logger = createLogger('error', {
      write: (line) => void errors.push((JSON.parse(line) as { err: Error }).err.message),
    });
    @Module({
      imports: [DiscoveryModule],
      // The worker stands on both sides of the listener, and so acts before and after it.
      providers: [
        { provide: DataSource, useValue: samples.dataSource },
        { provide: LOGGER, useValue: logger },
        { provide: FaultLog, useValue: new FaultLog(logger) },
        Database,
        DatabaseClock,
        DecoratedMethods,
        EventDeliverer,
        EventHandlers,
        EventMetrics,
        Events,
        Metrics,
        { provide: ReadOnlyMode, useValue: { isOn: false } },
        SchemaReadiness,
        StoredEventsRepository,
        Worker,
        Listener,
        { provide: 'second', useClass: Worker },
      ],
    })
    class ToysModule {}

    app = await NestFactory.createApplicationContext(ToysModule, { logger: false });
    database = app.get(Database);
    events = app.get(Events);
    listener = app.get(Listener);
    worker = app.get(Worker);
  });
  afterEach(async () => {
    await app.close();
    await samples.close();
  });

  async function insert(label: string): Promise<void> {
    await database.dataSource.getRepository(Sample).insert({ label });
  }

  it('are delivered at once and unchanged outside a transaction', () => {
    const event = new ToyAdded('ball');
    events.publish(event);
    expect(listener.heard).toHaveLength(1);
    expect(listener.heard[0]).toBe(event);
  });

  it('are delivered after the commit, in order, to the handlers of their class', async () => {
    const published = [new ToyAdded('ball'), new ToyRemoved('cube'), new ToyAdded('doll')];
    await database.transaction(async () => {
      for (const event of published) events.publish(event);
      events.publish(new ToyForgotten());
      await turn();
      expect(listener.heard).toEqual([]);
    });
    expect(listener.heard).toEqual(published);
    expect(listener.heard.map((event) => event.constructor)).toEqual([ToyAdded, ToyRemoved, ToyAdded]);
  });

  it('are not delivered when the transaction is rolled back', async () => {
    const work = async () => {
      events.publish(new ToyAdded('ball'));
      throw new Error('changed its mind');
    };
    await expect(database.transaction(work)).rejects.toThrow('changed its mind');
    await turns();
    expect(listener.heard).toEqual([]);
  });

  it('let a handler use the database and publish events of its own', async () => {
    const inserted = Promise.withResolvers<void>();
    worker.work = async ({ name }) => {
      await database.transaction(async () => {
        await insert(`${name} of the handler`);
        events.publish(new ToyRemoved(name));
      });
      inserted.resolve();
    };
    await database.transaction(async () => {
      await insert('ball');
      events.publish(new ToyAdded('ball'));
    });
    await inserted.promise;
    expect(await samples.labels()).toEqual(['ball', 'ball of the handler']);
    expect(listener.heard).toEqual([new ToyAdded('ball'), new ToyRemoved('ball')]);
  });

  it.each([
    [
      'at once',
      () => {
        throw new Error('cannot');
      },
    ],
    [
      'later',
      async () => {
        await turn();
        throw new Error('cannot');
      },
    ],
  ])(
    'keep what a handler throws %s from the publisher and other handlers, and log it',
    async (_when, work) => {
      worker.work = work;
      app.get<Worker>('second').work = work;
      const result = await database.transaction(async () => {
        await insert('stored');
        events.publish(new ToyAdded('ball'));
        return 'done';
      });
      events.publish(new ToyAdded('cube'));
      await until(() => errors.length === 4);
      expect(result).toBe('done');
      expect(await samples.labels()).toEqual(['stored']);
      expect(listener.heard).toEqual([new ToyAdded('ball'), new ToyAdded('cube')]);
      expect(errors).toEqual(Array.from({ length: 4 }, () => 'cannot'));
    },
  );

  it('do not make their publisher wait', async () => {
    const finish = Promise.withResolvers<void>();
    worker.work = () => finish.promise;
    await expect(
      database.transaction(async () => events.publish(new ToyAdded('ball'))),
    ).resolves.toBeUndefined();
    finish.resolve();
  });

  it('keep the database open at a stop until their handlers have ended', async () => {
    const order: string[] = [];
    const finish = Promise.withResolvers<void>();
    worker.work = async ({ name }) => {
      await finish.promise;
      await insert(name);
      order.push('handled');
    };
    events.publish(new ToyAdded('ball'));
    const stopped = app.close().then(() => order.push('stopped'));
    await turns();
    finish.resolve();
    await stopped;
    expect(order).toEqual(['handled', 'stopped']);
    expect(await samples.labels()).toEqual(['ball']);
  });

  it('make a stop wait for handlers of events that handlers publish', async () => {
    const order: string[] = [];
    const finish = Promise.withResolvers<void>();
    worker.work = async ({ name }) => {
      await finish.promise;
      if (name === 'ball') events.publish(new ToyAdded('cube'));
      else await turns();
      order.push(name);
    };
    events.publish(new ToyAdded('ball'));
    const stopped = app.close().then(() => order.push('stopped'));
    await turns();
    finish.resolve();
    await stopped;
    expect(order).toEqual(['ball', 'cube', 'stopped']);
  });

  it('do not make a stop wait for handlers that have succeeded or failed', async () => {
    worker.work = async () => {
      throw new Error('cannot');
    };
    events.publish(new ToyAdded('ball'));
    events.publish(new ToyRemoved('ball'));
    await expect(app.close()).resolves.toBeUndefined();
  });
});
