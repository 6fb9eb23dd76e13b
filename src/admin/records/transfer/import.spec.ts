import { conflictFirst } from '../../../../test/support/databases/conflicts';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { BATCH, csvOf, PetTransfers } from '../../../../test/admin/support/pet-transfers';
import { holdJobs } from '../../../../test/support/service/held-jobs';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import { PetsService } from '../../../pets/pets.service';
import { Database } from '../../../platform/database/database';
import { MissingReferenceError } from '../../../platform/errors/http-errors';
import { readJson } from '../../../platform/values/json-reader';
import type { HistoryPosition } from '../history/record-history.service';
import type { Refusal } from './refusals';

describeEachEngine('Imports', (engine) => {
  let service: TestService;
  let transfers: PetTransfers;

  beforeAll(async () => {
    service = await startTestService(engine);
    transfers = new PetTransfers(service);
  });
  afterAll(() => service.stop());

  it('store rows in batches, each with one audit event', async () => {
    const report = await transfers.imported(csvOf('batches', 2_500), 'csv');
    expect(report).toMatchObject({ rows: 2_500, done: 2_500, resumedAt: 0, imported: 2_500, refused: 0 });
    const pets = await transfers.stored('batches');
    const ids = pets.map(({ values }) => values.id);
    expect(pets.map(({ values }) => values.name)).toEqual(
      Array.from({ length: 2_500 }, (_, index) => `batches ${index}`),
    );
    const events = await transfers.eventsOf(report);
    expect(events.map(({ actor, action }) => [actor, action])).toEqual(
      Array.from({ length: 3 }, () => ['cli:ana', 'pets.import']),
    );
    expect(events.map(({ after }) => readJson(Buffer.from(after ?? '')))).toMatchObject([
      {
        file: 'pets.csv',
        firstLine: 2n,
        lastLine: 1_001n,
        imported: 1_000n,
        ids: `${ids[0]}..${ids[999]}`,
      },
      { firstLine: 1_002n, lastLine: 2_001n, imported: 1_000n, ids: `${ids[1_000]}..${ids[1_999]}` },
      {
        firstLine: 2_002n,
        lastLine: 2_501n,
        imported: 500n,
        refused: 0n,
        ids: `${ids[2_000]}..${ids[2_499]}`,
      },
    ]);
  });

  it('are the oldest event in the history of each record they add, and of no other', async () => {
    const { history, records } = transfers;
    const posted = await service.post('/v1/pets', { name: 'posted', categoryId: 1 });
    const report = await transfers.imported(csvOf('history', 2_500), 'csv');
    const [, second] = await transfers.eventsOf(report);
    const id = (await transfers.stored('history'))[1_500]?.values.id as bigint;
    await records.update(PETS_ADMIN, id, { categoryId: 2n });
    const actions = async (limit: number, from?: HistoryPosition) =>
      (await history.list(PETS_ADMIN, id, limit, from)).entries.map(({ event }) => event?.action);
    expect(await actions(10)).toEqual(['pets.update', 'pets.import']);
    expect(await actions(1)).toEqual(['pets.update']);
    const { entries, next } = await history.list(PETS_ADMIN, id, 2);
    expect([entries[1]?.event, next]).toEqual([second, undefined]);
    expect(await actions(10, (await history.list(PETS_ADMIN, id, 1)).next)).toEqual(['pets.import']);
    const { id: other } = (await posted.json()) as { id: number };
    const { entries: ofOther } = await history.list(PETS_ADMIN, BigInt(other), 10);
    expect(ofOther.filter(({ event }) => event)).toEqual([]);
  });

  it('leave out rows that the fields or the feature refuse, and say why', async () => {
    const pets = service.app.get(PetsService, { strict: false });
    const refuse = (name: string) => {
      if (name.includes('unwanted'))
        throw new MissingReferenceError({ message: 'The category is unwanted.' });
    };
    const createMany = pets.createMany.bind(pets);
    const create = pets.create.bind(pets);
    jest.spyOn(pets, 'createMany').mockImplementation(async (all) => {
      const created = await createMany(all);
      for (const { name } of all) refuse(name);
      return created;
    });
    jest.spyOn(pets, 'create').mockImplementation(async (pet) => {
      const created = await create(pet);
      refuse(pet.name);
      return created;
    });
    const told: Refusal[] = [];
    const content = 'name,categoryId\nmixed 1,1\nunwanted,1\nmixed 2,x\n\nmixed 3,3\nmixed 4,\n';
    const onBatch = (_done: number, refused: readonly Refusal[]) => void told.push(...refused);
    const report = await transfers.imported(content, 'csv', { onBatch });
    jest.restoreAllMocks();
    expect(report).toMatchObject({ rows: 6, done: 6, imported: 2, refused: 3 });
    expect(await transfers.namesOf('mixed')).toEqual(['mixed 1', 'mixed 3']);
    expect(await transfers.namesOf('unwanted')).toEqual([]);
    expect(told).toEqual([
      { line: 3, reason: 'The category is unwanted.', row: 'unwanted,1' },
      { line: 4, reason: expect.stringMatching(/^categoryId must be an integer/), row: 'mixed 2,x' },
      { line: 7, reason: 'categoryId is required.', row: 'mixed 4,' },
    ]);
  });

  it('count the added rows in which a required text is empty, with the first of them', async () => {
    const rows = 'empty texts 1,1\n,91\n,x\n,92\n';
    const asCsv = await transfers.imported(`name,categoryId\n${rows}`, 'csv');
    expect(asCsv).toMatchObject({
      imported: 3,
      refused: 1,
      emptyTexts: [{ field: 'name', rows: 2, line: 3 }],
    });
    const lines = '{"name":"","categoryId":93}\n{"name":" ","categoryId":93}\n';
    const asNdjson = await transfers.imported(lines, 'ndjson', { dryRun: true });
    expect(asNdjson.emptyTexts).toEqual([{ field: 'name', rows: 1, line: 1 }]);
  });

  it('store every value of a row, many rows at once and a single one alike', async () => {
    const header = 'name,categoryId,status';
    await transfers.imported(`${header}\nwhole 1,9223372036854775807,sold\nwhole 2,1,\n`, 'csv');
    await transfers.imported(`${header}\nwhole 3,2,pending\n`, 'csv');
    const stored = await transfers.stored('whole');
    expect(stored.map(({ values: { id: _, ...others } }) => others)).toEqual([
      { name: 'whole 1', categoryId: 9223372036854775807n, status: 'sold' },
      { name: 'whole 2', categoryId: 1n },
      { name: 'whole 3', categoryId: 2n, status: 'pending' },
    ]);
  });

  it('add row by row where the feature cannot add many at once, a hundred in a transaction', async () => {
    const pets = service.app.get(PetsService, { strict: false });
    const createMany = pets.createMany.bind(pets);
    pets.createMany = undefined as never;
    const report = await transfers
      .imported(csvOf('single', 250), 'csv')
      .finally(() => (pets.createMany = createMany));
    expect(report).toMatchObject({ imported: 250, refused: 0 });
    expect(await transfers.namesOf('single')).toHaveLength(250);
    const batches = (await transfers.eventsOf(report)).map(({ after }) => readJson(Buffer.from(after ?? '')));
    expect(batches).toMatchObject([{ imported: 100n }, { imported: 100n }, { imported: 50n }]);
  });

  it('store nothing in a dry run, and say what they would do', async () => {
    const report = await transfers.imported(`${csvOf('dry', 1_500)}x,y\n`, 'csv', { dryRun: true });
    expect(report).toEqual({
      run: undefined,
      rows: 1_501,
      done: 1_501,
      resumedAt: 0,
      imported: 1_500,
      refused: 1,
      emptyTexts: [],
    });
    expect(await transfers.stored('dry')).toEqual([]);
    const kept = await transfers.imported(`${csvOf('dry', 1_500)}x,y\n`, 'csv');
    expect(kept).toMatchObject({ imported: 1_500, refused: 1 });
  });

  it('store nothing of a malformed file', async () => {
    const content = `${csvOf('malformed', 2_000)}"open,1\n`;
    await expect(transfers.imported(content, 'csv')).rejects.toThrow('Line 2002: ');
    expect(await transfers.stored('malformed')).toEqual([]);
  });

  it('resume where they were interrupted, and keep each refused row once', async () => {
    const content = csvOf('resumed', 3_500).replaceAll(/resumed (\d*)7,1/g, 'resumed $17,x');
    const first = await transfers.begun(content, 'csv');
    expect(first).toMatchObject({ rows: 3_500, done: BATCH, resumedAt: 0, imported: 900, refused: 100 });
    const second = await transfers.imported(content, 'csv');
    expect(second).toEqual({
      run: first.run,
      rows: 3_500,
      done: 3_500,
      resumedAt: BATCH,
      imported: 3_150,
      refused: 350,
      emptyTexts: [],
    });
    expect(new Set(await transfers.namesOf('resumed')).size).toBe(3_150);
    expect(linesIn(await transfers.refusedBy(second))).toEqual(
      Array.from({ length: 350 }, (_, index) => 2 + index * 10 + 7),
    );
    expect(await transfers.eventsOf(second)).toHaveLength(4);
  });

  it('lose nothing and double nothing when a batch fails', async () => {
    const jobs = holdJobs(service);
    const content = csvOf('failed', 2_500);
    const { audit } = transfers;
    const record = audit.record.bind(audit);
    let calls = 0;
    jest.spyOn(audit, 'record').mockImplementation(async (change) => {
      const id = await record(change);
      if (++calls === 2) throw new Error('the machine is gone');
      return id;
    });
    await expect(transfers.imported(content, 'csv')).rejects.toThrow('the machine is gone');
    jest.restoreAllMocks();
    expect(await transfers.stored('failed')).toHaveLength(BATCH);
    expect(await transfers.imported(content, 'csv')).toMatchObject({
      resumedAt: BATCH,
      done: 2_500,
      imported: 2_500,
    });
    expect(new Set(await transfers.namesOf('failed')).size).toBe(2_500);
    expect(await transfers.stored('failed')).toHaveLength(2_500);
    jobs.release();
  });

  if (engine === 'postgres') {
    it('count and report each row once when the transaction of a batch is run again after a conflict', async () => {
      const { dataSource } = service.app.get(Database, { strict: false });
      await conflictFirst(dataSource, 'INSERT ON audit_events', 1, '40001');
      const content = 'name,categoryId\nconflicting 1,1\nconflicting 2,x\nconflicting 3,1\n';
      const report = await transfers.imported(content, 'csv');
      expect(report).toMatchObject({ rows: 3, done: 3, imported: 2, refused: 1 });
      expect(linesIn(await transfers.refusedBy(report))).toEqual([3]);
      expect(await transfers.namesOf('conflicting')).toEqual(['conflicting 1', 'conflicting 3']);
    });
  }
});

/** The lines that a file of refused rows names. */
function linesIn(text: string): number[] {
  return text.split('\r\n').slice(1, -1).map(Number.parseFloat);
}
