import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { Job } from '../../src/platform/jobs/job.decorator';
import { JobRunner } from '../../src/platform/jobs/job-runner.service';
import { Jobs } from '../../src/platform/jobs/jobs';
import { StoredRunsRepository } from '../../src/platform/jobs/stored-runs.repository';
import { describeEachEngine } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { withFeatures } from '../support/service/with-features';

// A killed process is noticed by the end of its lease.
const WORKER = join(__dirname, '..', 'support', 'fixtures', 'job-worker.mjs');
const END = 500;
const KILLS = 1;

class CountTo {
  readonly end!: number;
}

@Injectable()
class Counter {
  /** Says which job there is; its namesake in other processes runs it. */
  @Job(CountTo)
  count(): void {
    throw new Error('This process runs nothing.');
  }
}

@Module({ providers: [Counter] })
class CounterModule {}

describeEachEngine('A job of a process that is killed', (engine) => {
  const ledger = join(makeFolder(), `${engine}.ledger`);
  const workers = new Map<number, ChildProcess>();
  let service: TestService;

  beforeAll(async () => {
    jest.spyOn(JobRunner.prototype, 'begin').mockImplementation(() => undefined);
    service = await withFeatures({ CounterModule }, () => startTestService(engine));
    for (let index = 0; index <= KILLS; index++) startWorker();
  });
  afterAll(async () => {
    for (const worker of workers.values()) worker.kill('SIGKILL');
    await service.stop();
    jest.restoreAllMocks();
  });

  function startWorker(): void {
    const env = { PATH: process.env.PATH, DATABASE_URL: service.database.url, LEDGER: ledger };
    const worker = spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    workers.set(worker.pid ?? 0, worker);
  }

  /** The steps as they were begun: by which process, and of which number. */
  function steps(): { process: number; number: number }[] {
    const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').slice(0, -1) : [];
    return lines.map((line) => {
      const [process, number] = line.split(' ').map(Number);
      return { process: process ?? 0, number: number ?? 0 };
    });
  }

  it(`goes on after its last step in another one, and runs in one at a time`, async () => {
    const id = await service.app.get(Jobs).start(CountTo, { end: END });
    for (let kill = 0; kill < KILLS; kill++) {
      const before = steps().length;
      await until(() => steps().length > before + 20);
      const worker = workers.get(steps().at(-1)?.process ?? 0) as ChildProcess;
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    const stored = () => service.app.get(StoredRunsRepository).findOne(id);
    await until(async () => (await stored())?.state === 'finished');
    expect(await stored()).toMatchObject({ done: BigInt(END), total: BigInt(END) });

    const begun = steps();
    const changes = begun.filter((step, index) => step.process !== begun[index - 1]?.process);
    expect(new Set(changes.map(({ process }) => process)).size).toBe(changes.length);
    expect(changes).toHaveLength(KILLS + 1);
    // A step that the killed process had begun is begun again, and no other.
    begun.slice(1).forEach(({ number, process }, index) => {
      const last = begun[index];
      const repeated = process === last?.process ? [] : [last?.number];
      expect([...repeated, (last?.number ?? 0) + 1]).toContain(number);
    });
    expect(begun.at(-1)?.number).toBe(END);
  });
});
