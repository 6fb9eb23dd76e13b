import { randomInt } from 'node:crypto';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { PetWriters } from '../support/samples/pet-writers';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { ResponseCount, milliseconds } from './support/responses';
import { recordFigure } from '../support/samples/figures';
import { expectSoundPostgres, expectSoundSqlite } from './support/integrity';
import { expectAcknowledged, expectEachOnce } from './support/pets';
import { SIZES } from './support/sizes';

const CLIENTS = 8;

const key = createToken();
const cwd = makeFolder();

/** Kills the service within the very turn of the event loop in which the so-many-th acknowledgement has come. */
async function writeUntilKilled(service: ServiceProcess, writers: PetWriters): Promise<string[]> {
  const before = new Set(writers.acknowledged.keys());
  let left = randomInt(1, 100);
  writers.onAcknowledged = () => {
    if (--left === 0) service.signal('SIGKILL');
  };
  await writers.run(service, CLIENTS);
  expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' });
  writers.onAcknowledged = () => undefined;
  return [...writers.acknowledged.keys()].filter((id) => !before.has(id));
}

describeEachEngine('A service killed while pets are added', (engine) => {
  const fault = `service killed on ${engine}`;
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
  });
  afterEach(async () => {
    await endServiceProcesses();
    await database.drop();
  });

  function start(): Promise<ServiceProcess> {
    const settings = {
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: key,
      // The database is there all along: a machine that is busy with starts must not make it seem away.
      DATABASE_STATEMENT_TIMEOUT_MS: '25000',
    };
    return ServiceProcess.start(settings, { cwd });
  }

  it(
    `has each acknowledged pet unchanged, and none twice that was sent again, after ${SIZES.kills} kills`,
    async () => {
      const writers = new PetWriters(key, true);
      // 409: what the killed service had under way was still being undone when it was asked for again.
      const responses = new ResponseCount([409]);
      writers.onResponse = responses.note;
      let service = await start();
      let slowestStart = 0;
      for (let kill = 0; kill < SIZES.kills; kill++) {
        const ids = await writeUntilKilled(service, writers);
        expect(ids).not.toEqual([]);
        const killed = performance.now();
        service = await start();
        slowestStart = Math.max(slowestStart, performance.now() - killed);
        await expectAcknowledged(service, key, writers, ids);
        if (engine === 'sqlite') expectSoundSqlite(database.url.slice('sqlite:'.length));
      }
      await writers.settle(service);
      await expectAcknowledged(service, key, writers);
      await expectEachOnce(service, key, writers);
      if (engine === 'postgres') await expectSoundPostgres(database.url);
      expect(responses.wrong).toEqual([]);

      responses.record(fault);
      recordFigure(fault, 'kills', SIZES.kills);
      recordFigure(fault, 'pets acknowledged and checked', writers.acknowledged.size);
      recordFigure(fault, 'requests that got no response', writers.withoutResponse);
      recordFigure(fault, 'longest start after a kill', milliseconds(slowestStart));
    },
    SIZES.kills * 45_000,
  );
});
