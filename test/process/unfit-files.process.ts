import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';

afterEach(endServiceProcesses);

/** A database as the service leaves it behind: migrated, with a key and 500 pets. */
let sound: string;

beforeAll(async () => {
  const cwd = makeFolder();
  sound = join(cwd, 'sound.sqlite');
  const service = await ServiceProcess.start({ DATABASE_URL: `sqlite:${sound}` }, { cwd });
  const key = service.printedKey as string;
  for (let i = 0; i < 500; i++) await service.post('/v1/pets', key, '{"name":"Rex","categoryId":3}');
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

/** Starts on the bytes, expects the start to fail and the folder to hold just these bytes afterwards. */
async function refusal(bytes: Buffer): Promise<string> {
  const cwd = makeFolder();
  const file = join(cwd, 'petstore.sqlite');
  writeFileSync(file, bytes);
  const service = new ServiceProcess({ DATABASE_URL: `sqlite:${file}` }, { cwd });
  expect(await service.ended).toEqual({ code: 1, signal: null });
  expect(service.stdout).toBe('');
  expect(readdirSync(cwd)).toEqual(['petstore.sqlite']);
  expect(readFileSync(file).equals(bytes)).toBe(true);
  return service.stderr.replaceAll(file, '<file>');
}

const DAMAGED =
  'The database file <file> is damaged or is not a SQLite database. The file was not changed. ' +
  'Restore a backup or choose another file with DATABASE_URL.\n';

describe('A database file that is', () => {
  it.each<[string, () => Buffer]>([
    ['no database', () => randomBytes(10_000)],
    ['a text', () => Buffer.from('name,categoryId\nRex,3\n')],
    ['cut off', () => readFileSync(sound).subarray(0, 10_000)],
    ['cut off within its first page', () => readFileSync(sound).subarray(0, 1_000)],
    ['overwritten after its header', () => readFileSync(sound).fill(0xaa, 100, 4_096)],
    ['of the right header and nothing else', () => readFileSync(sound).fill(0, 100)],
  ])('%s is refused in one sentence and left as it is', async (_damage, bytes) => {
    expect(await refusal(bytes())).toBe(DAMAGED);
  });

  it('of a newer version is refused in one sentence and left as it is', async () => {
    const file = join(makeFolder(), 'newer.sqlite');
    copyFileSync(sound, file);
    const sqlite = new SqliteDatabase(file);
    sqlite.exec(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'AddTails9999999999999')`);
    sqlite.close();
    expect(await refusal(readFileSync(file))).toBe(
      'The database was migrated by a newer version of the service (AddTails9999999999999 is unknown to this version). ' +
        'Deploy the newer version; nothing was changed.\n',
    );
  });
});
