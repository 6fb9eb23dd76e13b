import SqliteDatabase from 'better-sqlite3';
import { startTestService, type TestService } from '../../../test/support/service/service';
import { Database } from './database';
import { truncateWal } from './truncate-wal';

/** Wait of a statement of the service for a lock, during which all requests wait, in milliseconds. */
const BUSY_TIMEOUT_MS = 120_000;

/** An event loop that waits for a lock stands still for longer; one of a busy machine does not. */
const STANDSTILL_MS = BUSY_TIMEOUT_MS / 2;

describe("SQLite's write-ahead log, while another process reads older pages", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService('sqlite', {
      DATABASE_STATEMENT_TIMEOUT_MS: String(BUSY_TIMEOUT_MS),
    });
  });
  afterAll(() => service.stop());

  it('is not emptied, and the event loop is free meanwhile', async () => {
    const database = service.app.get(Database);
    const reader = new SqliteDatabase(new URL(service.database.url).pathname, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM audit_events').get();
    await database.dataSource.query('CREATE TABLE written (id integer)');
    let lastTurn = performance.now();
    let longest = 0;
    const turns = setInterval(() => {
      longest = Math.max(longest, performance.now() - lastTurn);
      lastTurn = performance.now();
      if (longest > STANDSTILL_MS && reader.inTransaction) reader.exec('COMMIT');
    }, 10);
    try {
      expect(await truncateWal(database)).toBe(false);
      reader.exec('COMMIT');
      expect(await truncateWal(database)).toBe(true);
    } finally {
      clearInterval(turns);
      reader.close();
    }
  });
});
