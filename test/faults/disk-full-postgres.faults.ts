import { createToken } from '../../src/platform/security/api-key-token';
import { timed } from '../support/http/timed-response';
import { recordFigure } from '../support/samples/figures';
import { makeFolder } from '../support/folders';
import { runOn } from '../support/databases/postgres-replica';
import { type PostgresServer, startPostgresServer } from '../support/databases/postgres-server';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';
import { expectSoundPostgres } from './support/integrity';
import { Load } from './support/load';
import { expectAcknowledged, expectEachOnce } from './support/pets';
import { milliseconds } from './support/responses';
import { SmallDisk } from './support/small-disk';

/** More than one: what a full disk leaves behind shows when it is full again. */
const ROUNDS = 2;

const key = createToken();
const cwd = makeFolder();

let disk: SmallDisk;
let server: PostgresServer;

/** The log of what is committed is on the small disk: the server ends itself when there is no room for a commit. */
async function startWithSmallLog(): Promise<void> {
  // Files of the log are taken for the next ones only after a checkpoint.
  const settings = ['min_wal_size=2MB', 'max_wal_size=1GB', 'checkpoint_timeout=1h'];
  const places = [`--waldir=${disk.path}/wal`, '--wal-segsize=1'];
  server = await startPostgresServer(undefined, settings, places);
}

/** The tables are on the small disk: the server refuses the statement that needs room. */
async function startWithSmallTables(): Promise<void> {
  server = await startPostgresServer();
  await runOn(server, `CREATE TABLESPACE small LOCATION '${disk.path}'`);
  await runOn(server, 'ALTER ROLE postgres SET default_tablespace = small');
}

/** Leaves little room in the file of the log that is written to, and no file that was made for later: the next one is needed soon. */
async function useUpLog(): Promise<void> {
  const spare = 'SELECT 1 FROM pg_ls_waldir() WHERE name > pg_walfile_name(pg_current_wal_insert_lsn())';
  do {
    await runOn(server, `SELECT pg_logical_emit_message(true, 'ballast', repeat('x', 900000))`);
  } while ((await runOn(server, spare)).length > 0);
}

function isUp(): boolean {
  try {
    return server.pid > 0;
  } catch {
    return false;
  }
}

describe('A service whose PostgreSQL server meets a full disk', () => {
  let reason: string | undefined;

  beforeEach(async () => {
    const mounted = await SmallDisk.mount();
    if (typeof mounted === 'string') reason = mounted;
    else disk = mounted;
  });

  it.each([
    ['at COMMIT', 'write-ahead log', startWithSmallLog, useUpLog],
    ['when it inserts', 'tables', startWithSmallTables, () => Promise.resolve()],
  ])(
    'responds with 503 %s, loses no acknowledged pet, and recovers when there is room: the disk of its %s',
    async (_when, place, startServer, beforeItIsFull) => {
      const fault = `a full disk under PostgreSQL's ${place}`;
      if (reason !== undefined) {
        recordFigure(fault, 'not tried: this machine lets no user mount a file system', reason);
        return;
      }
      await startServer();
      const service = await ServiceProcess.start(
        { DATABASE_URL: server.url, MIGRATE_ON_START: 'true', BOOTSTRAP_API_KEY: key },
        { cwd },
      );
      const load = new Load(service, key);
      let longest = 0;
      let restarts = 0;
      try {
        for (let round = 0; round < ROUNDS; round++) {
          load.start();
          await load.progress(50);
          await beforeItIsFull();
          await disk.fill();
          await load.more(503, 50);
          expect((await timed(() => service.fetch('/health/live', key)))?.status).toBe(200);
          await disk.clear();
          const begun = performance.now();
          const enough = load.writers.acknowledged.size + 1;
          await until(async () => {
            // As what supervises it does.
            if (!isUp()) await server.start().then(() => (restarts += 1));
            return load.writers.acknowledged.size >= enough;
          });
          longest = Math.max(longest, performance.now() - begun);
          await load.pause();
        }
        await load.stop();
        expect(load.responses.wrong).toEqual([]);
        expect(load.withoutResponse).toBe(0);
        await expectAcknowledged(service, key, load.writers);
        await expectEachOnce(service, key, load.writers);
        await expectSoundPostgres(server.url);
      } finally {
        await endServiceProcesses();
        await server.stop();
        await disk.unmount();
      }
      load.responses.record(fault);
      recordFigure(fault, 'PostgreSQL ended, and was started again', restarts);
      recordFigure(fault, 'pets acknowledged and checked', load.writers.acknowledged.size);
      recordFigure(fault, 'longest until a pet was acknowledged again', milliseconds(longest));
    },
  );
});
