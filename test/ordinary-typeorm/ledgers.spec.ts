import { DataSource } from 'typeorm';
import { useService } from '../contract/support/service';
import { conflictFirst } from '../support/databases/conflicts';
import { describeEachEngine } from '../support/databases/databases';
import { until } from '../support/until';
import { addToSchema } from '../support/databases/with-schema';
import { jsonClient } from './client';
import { createTables } from './create-tables';
import { Account, Entry, Sighting } from './ledger.entities';
import { held, LedgersModule } from './ledgers.module';

describeEachEngine('A module with transactions of TypeORM', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    const entities = [Account, Entry, Sighting];
    takeBack = addToSchema({ entities, migrations: [createTables(1790000400000, 'ol_')] });
  });
  const service = useService(engine, {}, { LedgersModule });
  afterAll(() => takeBack());
  const send = jsonClient(service);

  interface Ledger {
    id: number;
    balance: number;
    version: number;
    entries: { note: string }[];
  }

  const open = async () => (await send<Ledger>('POST', '/v1/ledgers')).body.id;
  const find = async (id: number) => (await send<Ledger>('GET', `/v1/ledgers/${id}`)).body;
  const book = (id: number, booking: object) => send('POST', `/v1/ledgers/${id}/bookings`, booking);
  const sightings = async (note: string) => (await send('GET', `/v1/ledgers/sightings/${note}`)).body;
  const heard = async () => (await send<string[]>('GET', '/v1/ledgers/heard')).body;
  const notesOf = ({ entries }: Ledger) => entries.map(({ note }) => note);

  it('publishes events and runs actions after the commit for committed work only', async () => {
    const id = await open();
    expect((await book(id, { amount: 5, note: 'told' })).status).toBe(201);
    expect((await book(id, { amount: 7, note: 'untold', fails: true })).status).toBe(409);
    await until(async () => (await heard()).includes('told'));
    expect(await heard()).toContain('after told');
    expect((await heard()).filter((note) => note.includes('untold'))).toEqual([]);
  });

  it('lets a subscriber write in the transaction of its event', async () => {
    const id = await open();
    await book(id, { amount: 1, note: 'seen' });
    await book(id, { amount: 1, note: 'unseen', fails: true });
    expect([await sightings('seen'), await sightings('unseen')]).toEqual([1, 0]);
    expect(notesOf(await find(id))).toEqual(['seen']);
  });

  it.each(['READ UNCOMMITTED', 'SERIALIZABLE'])('accepts an isolation level: %s', async (isolation) => {
    const id = await open();
    expect((await book(id, { amount: 3, note: 'isolated', isolation })).body).toBe(1);
    expect((await book(id, { amount: 4, note: 'isolated', isolation, fails: true })).status).toBe(409);
    expect(await find(id)).toMatchObject({ balance: 3 });
  });

  it('rolls back a savepoint with its events, and keeps the rest', async () => {
    const id = await open();
    expect((await send('POST', `/v1/ledgers/${id}/steps`, { note: 'step' })).status).toBe(201);
    const ledger = await find(id);
    expect([ledger.balance, notesOf(ledger)]).toEqual([11, ['step outer', 'step kept']]);
    await until(async () => (await heard()).includes('step kept'));
    const told = ['step outer', 'step kept', 'after step outer', 'after step kept'];
    expect((await heard()).filter((note) => note.includes('step')).sort()).toEqual(told.sort());
    expect(await sightings('step undone')).toBe(0);
  });

  it('commits at the end of a block that uses a runner', async () => {
    const id = await open();
    expect((await send('POST', `/v1/ledgers/${id}/blocks`, { note: 'block' })).status).toBe(201);
    expect(notesOf(await find(id))).toEqual(['block']);
    expect(await heard()).toContain('after block');
  });

  it('runs several statements at once in one transaction', async () => {
    const id = await open();
    const notes = Array.from({ length: 10 }, (_, n) => `together ${n}`);
    expect((await send('POST', `/v1/ledgers/${id}/batches`, { notes })).status).toBe(201);
    expect((await find(id)).balance).toBe(10);
    expect((await find(id)).entries).toHaveLength(10);
  });

  it('hides an open transaction from others, and stores nothing of a failed one', async () => {
    const id = await open();
    const isOpen = Promise.withResolvers<void>();
    const isSeen = Promise.withResolvers<void>();
    held.wait = () => {
      isOpen.resolve();
      return isSeen.promise;
    };
    const failing = book(id, { amount: 50, note: 'open', fails: true, isHeld: true });
    await isOpen.promise;
    const looks = Promise.all(Array.from({ length: 5 }, () => find(id)));
    // On SQLite they wait for the transaction.
    if (engine === 'postgres') await looks;
    isSeen.resolve();
    expect((await failing).status).toBe(409);
    expect([...(await looks), await find(id)].map(({ balance }) => balance)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('loses no increment of 40 simultaneous transactions of which a quarter fails', async () => {
    const id = await open();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => book(id, { amount: 1, note: `n${n}`, fails: n % 4 === 0 })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(30);
    const ledger = await find(id);
    expect([ledger.balance, ledger.entries.length]).toEqual([30, 30]);
  });

  it('saves and increments versions with the repository outside a transaction', async () => {
    const id = await open();
    expect((await send('POST', `/v1/ledgers/${id}/balance`, { amount: 9 })).body).toMatchObject({
      version: 2,
    });
    expect(await find(id)).toMatchObject({ balance: 9, version: 2 });
  });

  if (engine === 'sqlite') return;

  it.each(['40001', '40P01'])('retries work that conflicts with other transactions: %s', async (code) => {
    const id = await open();
    await conflictFirst(service().app.get(DataSource), 'INSERT ON ol_entries', 2, code);
    expect((await book(id, { amount: 6, note: `conflict ${code}` })).body).toBe(3);
    const ledger = await find(id);
    expect([ledger.balance, notesOf(ledger)]).toEqual([6, [`conflict ${code}`]]);
    expect((await heard()).filter((note) => note === `after conflict ${code}`)).toHaveLength(1);
  });
});
