import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../src/platform/database/database';
import { Events } from '../../src/platform/events/events';
import { OnEvent } from '../../src/platform/events/on-event.decorator';
import { EventDeliverer } from '../../src/platform/events/event-deliverer.service';
import { StoredEventsRepository } from '../../src/platform/events/stored-events.repository';
import { describeEachEngine } from '../support/databases/databases';
import { recordFigure } from '../support/samples/figures';
import { makeFolder } from '../support/folders';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { withFeatures } from '../support/service/with-features';
import { SIZES } from './support/sizes';

const WORKER = join(__dirname, '..', 'support', 'fixtures', 'event-worker.mjs');
const LINE_END = 0x0a;
const EVENTS_PER_KILL = 100;
/** Few enough for each to have several events, that have an order; enough that killed claims leave others. */
const TOYS = 200;
/** Events of one transaction. */
const BATCH = 10;

class ToyMoved {
  constructor(
    readonly toy: string,
    readonly number: number,
  ) {}

  get subject(): string {
    return this.toy;
  }
}

@Injectable()
class Ledger {
  /** Says what is stored for it; its namesake in another process hears of it. */
  @OnEvent(ToyMoved, { delivery: 'durable' })
  enter(): void {
    throw new Error('This process delivers nothing.');
  }
}

@Module({ providers: [Ledger] })
class LedgerModule {}

/** A line of the file that the handler writes. */
interface Entry {
  readonly id: string;
  readonly event: string;
  readonly toy: string;
  readonly number: number;
}

describeEachEngine('Stored events of a process that is killed', (engine) => {
  const fault = `events of a killed process on ${engine}`;
  const ledger = join(makeFolder(), `${engine}.ledger`);
  let service: TestService;
  let worker: ChildProcess | undefined;

  beforeAll(async () => {
    jest.spyOn(EventDeliverer.prototype, 'begin').mockImplementation(() => undefined);
    service = await withFeatures({ LedgerModule }, () => startTestService(engine));
  });
  afterAll(async () => {
    worker?.kill('SIGKILL');
    await service.stop();
    jest.restoreAllMocks();
  });

  function entries(): Entry[] {
    const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : [];
    return lines.map((line) => {
      const [id = '', toy = '', number = ''] = line.split(' ');
      return { id, toy, number: Number(number), event: `${toy} ${number}` };
    });
  }

  function startWorker(): ChildProcess {
    const env = { PATH: process.env.PATH, DATABASE_URL: service.database.url, LEDGER: ledger };
    return spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** How many lines the file has so far; read again and again, so without making entries of them. */
  function entryCount(): number {
    return existsSync(ledger)
      ? readFileSync(ledger).reduce((count, byte) => count + Number(byte === LINE_END), 0)
      : 0;
  }

  /** Publishes the events of one kill. */
  async function publish(kill: number): Promise<void> {
    const database = service.app.get(Database);
    const events = service.app.get(Events);
    const end = (kill + 1) * EVENTS_PER_KILL;
    for (let next = kill * EVENTS_PER_KILL; next < end; next += BATCH) {
      await database.transaction(async () => {
        for (let index = next; index < next + BATCH; index++) {
          events.publish(new ToyMoved(`toy${index % TOYS}`, Math.floor(index / TOYS)));
        }
      });
    }
  }

  it(
    `reach their handler at least once, in the order of each subject, through ${SIZES.eventKills} kills`,
    async () => {
      const total = SIZES.eventKills * EVENTS_PER_KILL;
      for (let kill = 0; kill < SIZES.eventKills; kill++) {
        const published = publish(kill);
        worker = startWorker();
        const enough = entryCount() + randomInt(1, EVENTS_PER_KILL);
        await until(() => entryCount() >= enough);
        worker.kill('SIGKILL');
        await Promise.all([once(worker, 'exit'), published]);
      }
      worker = startWorker();
      const stored = service.app.get(StoredEventsRepository);
      await until(async () => (await stored.findAfter({ after: 0n, limit: 1 })).length === 0);

      const all = entries();
      const firsts = [
        ...new Map(all.toReversed().map((entry) => [entry.event, entry])).values(),
      ].toReversed();
      expect(firsts).toHaveLength(total);
      expect(new Set(all.map(({ id, event }) => `${id} ${event}`)).size).toBe(total);
      for (const ofToy of Map.groupBy(firsts, ({ toy }) => toy).values()) {
        const numbers = ofToy.map(({ number }) => number);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }
      recordFigure(fault, 'kills', SIZES.eventKills);
      recordFigure(fault, 'events', total);
      recordFigure(fault, 'repeats', all.length - total);
    },
    300_000 + 30_000 * SIZES.eventKills,
  );
});
