import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity';
import { AuditLog } from '../../src/platform/audit/audit-log';
import { Database } from '../../src/platform/database/database';
import { CliProcess } from '../cli/support/cli-process';
import { describeEachEngine } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { recordFigure } from '../support/samples/figures';
import { startTestService, type TestService } from '../support/service/service';
import { until } from '../support/until';
import { SIZES } from './support/sizes';

const PAGE = join(__dirname, '..', '..', 'docs/operations', 'audit.md');
const DOCUMENTED_FILE = '/var/log/petstore/audit.ocsf.ndjson';

const WRITERS = 4;
/** Longest time that a transaction of a writer stays open, in milliseconds: so they end in another order than they began in. */
const OPEN_MS = 50;
/** Most bytes that a reader writes before it is killed: some hundred lines. */
const MOST_BYTES = 20_000;

describeEachEngine('petstore audit follow, killed', (engine) => {
  const fault = `killed readers of the audit log on ${engine}`;
  const file = join(makeFolder(), `${engine}.ndjson`);
  const follow = documentedCommand().map((word) => (word === DOCUMENTED_FILE ? file : word));
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine);
    writeFileSync(file, '');
  });
  afterAll(() => service.stop());

  const change = () => ({
    action: 'things.touch',
    subject: { type: 'things', id: 'x'.repeat(randomInt(40)) },
  });

  /** Records one change a transaction, or several, whose ids are drawn ahead; some transactions are rolled back. */
  async function write(over: AbortSignal): Promise<void> {
    const database = service.app.get(Database);
    const log = service.app.get(AuditLog);
    while (!over.aborted) {
      const written = database.transaction(async () => {
        if (randomInt(2) === 0) await log.record(change());
        else await log.recordMany([change(), change(), change()]);
        await pause(randomInt(OPEN_MS));
        if (randomInt(10) === 0) throw new RolledBack();
      });
      await written.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
      await pause(randomInt(OPEN_MS));
    }
  }

  it(
    `misses no event, and keeps their order, through ${SIZES.readerKills} kills beside ${WRITERS} writers`,
    async () => {
      const cli = new CliProcess({ DATABASE_URL: service.database.url });
      const over = new AbortController();
      const writing = Promise.all(Array.from({ length: WRITERS }, () => write(over.signal)));
      let cut = 0;
      for (let kill = 0; kill < SIZES.readerKills; kill++) {
        const reader = cli.start(...follow);
        const enough = statSync(file).size + randomInt(MOST_BYTES);
        // Now and then before it has written anything.
        if (kill % 5 === 0) await pause(randomInt(1_000));
        else await until(() => statSync(file).size >= enough || reader.exitCode !== null);
        reader.kill('SIGKILL');
        const [, signal] = (await once(reader, 'exit')) as [number | null, string | null];
        expect(signal).toBe('SIGKILL');
        cut += Number(/[^\n]$/.test(readFileSync(file, 'utf8')));
      }
      over.abort();
      await writing;
      expect(await cli.run(...follow, '--once')).toMatchObject({ code: 0 });

      const read = readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => BigInt((JSON.parse(line) as OcsfEvent).metadata.uid));
      const events = service.app.get(Database).dataSource.getRepository(AuditEvent);
      const recorded = await events.find({ select: { id: true }, order: { id: 'ASC' } });
      expect(read).toEqual(recorded.map(({ id }) => id));
      recordFigure(fault, 'kills', SIZES.readerKills);
      recordFigure(fault, 'events', read.length);
      recordFigure(fault, 'lines cut by a kill', cut);
    },
    300_000 + 30_000 * SIZES.readerKills,
  );
});

class RolledBack extends Error {}

interface OcsfEvent {
  readonly metadata: { readonly uid: string };
}

/** The words after `petstore` of the unit in the page about the audit log. */
function documentedCommand(): string[] {
  const [, command = ''] = /^ExecStart=petstore (.*)$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
  return command.split(' ');
}
