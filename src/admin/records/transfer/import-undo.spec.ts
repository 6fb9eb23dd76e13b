import { hostname } from 'node:os';
import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { csvOf, PetTransfers } from '../../../../test/admin/support/pet-transfers';
import { until } from '../../../../test/support/until';
import { type HeldJobs, holdJobs } from '../../../../test/support/service/held-jobs';
import { watchStatements } from '../../../../test/support/service/statements';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import { PetStatus } from '../../../pets/pet-status';
import { PetsService } from '../../../pets/pets.service';
import { actingAs } from '../../../platform/security/actor';
import { StoredRunsRepository } from '../../../platform/jobs/stored-runs.repository';
import { StillReferencedError } from '../../../platform/errors/http-errors';
import { readJson } from '../../../platform/values/json-reader';
import { AuditTrailService } from '../../audit/audit-trail.service';
import { ImportEntries } from '../../console/audit/import-entries';
import { ImportBatch } from './import-batch.entity';
import { ImportLedger } from './import-ledger.repository';
import { ImportRetentionJob } from './import-retention-job';
import type { ImportReport } from './import.service';
import { ImportUndo, type ImportUndoOptions } from './import-undo.service';

describeEachEngine('The undo of an import', (engine) => {
  let service: TestService;
  let transfers: PetTransfers;
  let undoing: ImportUndo;
  let ledger: ImportLedger;
  let pets: PetsService;
  let jobs: HeldJobs;

  beforeAll(async () => {
    service = await startTestService(engine);
    transfers = new PetTransfers(service);
    undoing = service.app.get(ImportUndo, { strict: false });
    ledger = service.app.get(ImportLedger, { strict: false });
    pets = service.app.get(PetsService, { strict: false });
  });
  afterAll(() => service.stop());
  beforeEach(() => void (jobs = holdJobs(service)));
  afterEach(() => jest.restoreAllMocks());

  const idsOf = async (part: string) => (await transfers.stored(part)).map(({ values }) => values.id);
  const runOf = ({ run }: ImportReport) => run as bigint;
  const undo = (report: ImportReport, options?: ImportUndoOptions) => transfers.undo(runOf(report), options);
  /** Ends an undo after its first piece. */
  const begun = (report: ImportReport, options: ImportUndoOptions = {}) => {
    const end = new AbortController();
    let pieces = 0;
    const onPiece = () => void (++pieces === 2 && end.abort());
    return undo(report, { ...options, signal: end.signal, onPiece });
  };

  /** Runs something around the removal of many pets. */
  const removing = (around: (work: () => Promise<void>, ids: readonly bigint[]) => Promise<void>) => {
    const removeAll = pets.deleteMany.bind(pets);
    jest.spyOn(pets, 'deleteMany').mockImplementation((ids) => around(() => removeAll(ids), ids));
  };

  it('removes what the import added and nothing else, with each removal on record', async () => {
    const before = await transfers.imported(csvOf('other', 3), 'csv');
    const report = await transfers.imported(csvOf('wrong', 1_120), 'csv');
    const ids = await idsOf('wrong');
    expect(await undo(report)).toEqual({ run: report.run, undone: 1_120, leftAlone: 0, remaining: 0 });
    expect(await idsOf('wrong')).toEqual([]);
    expect(await idsOf('other')).toHaveLength(3);
    const { entries } = await transfers.history.list(PETS_ADMIN, ids[700] as bigint, 10);
    expect(entries.map(({ event }) => [event?.action, event?.actor])).toEqual([
      ['pets.remove', 'cli:kim'],
      ['pets.import', 'cli:ana'],
    ]);
    expect(await ledger.remaining(runOf(report))).toBe(0);
    await expect(undo(report)).rejects.toThrow(`The import ${report.run} was undone already.`);
    await expect(undoing.undo(PETS_ADMIN, 987_654n)).rejects.toThrow('There is no import 987654 of pets.');
    expect(await undo(before)).toMatchObject({ undone: 3 });
  });

  it('runs as many statements for some hundred records as for two', async () => {
    const statementsOf = async (count: number) => {
      const report = await transfers.imported(csvOf(`counted ${count}`, count), 'csv');
      const { statements } = await watchStatements(service, () => undo(report));
      return statements.reduce((sum, statement) => sum + statement.count, 0);
    };
    const ofTwo = await statementsOf(2);
    // The audit log writes its events in some statements.
    expect((await statementsOf(500)) - ofTwo).toBeLessThan(10);
  });

  it('leaves alone, and names, records that were changed or removed since or are refused', async () => {
    const report = await transfers.imported(csvOf('touched', 130), 'csv');
    const ids = await idsOf('touched');
    const [changed, removed, referenced, back] = [ids[3], ids[60], ids[61], ids[129]] as bigint[];
    await pets.update(changed as bigint, { name: 'touched by a client' });
    await transfers.records.remove(PETS_ADMIN, removed as bigint);
    await pets.update(back as bigint, { status: PetStatus.Sold });
    await pets.update(back as bigint, { status: null });
    const remove = pets.delete.bind(pets);
    jest.spyOn(pets, 'delete').mockImplementation(async (id, ifMatch) => {
      await remove(id, ifMatch);
      if (id === referenced) throw new StillReferencedError();
    });
    removing(async (work, some) => {
      await work();
      if (some.includes(referenced as bigint)) throw new StillReferencedError();
    });
    expect(await undo(report)).toMatchObject({ undone: 127, leftAlone: 3, remaining: 0 });
    expect(await ledger.leftAlone(runOf(report), 10)).toEqual([
      { id: referenced, because: 'refused', reason: new StillReferencedError().message },
      { id: removed, because: 'removed' },
      { id: changed, because: 'changed' },
    ]);
    expect(await idsOf('touched')).toEqual([changed, referenced]);
    const events = (await transfers.eventsOf(report)).filter(({ action }) => action === 'pets.remove_all');
    const told = events.map(
      ({ after }) => (readJson(Buffer.from(after ?? '')) as { leftAlone?: object }).leftAlone,
    );
    expect(told).toEqual([
      { refused: String(referenced), removed: String(removed), changed: String(changed) },
    ]);
  });

  it('goes on where it was when it was ended, or its process was killed', async () => {
    const report = await transfers.imported(csvOf('ended', 1_120), 'csv');
    expect(await begun(report)).toMatchObject({ undone: 120, remaining: 1_000 });
    expect(await idsOf('ended')).toHaveLength(1_000);
    let calls = 0;
    removing(async (work) => {
      await work();
      if (++calls === 2) throw new Error('the machine is gone');
    });
    await expect(undo(report)).rejects.toThrow('the machine is gone');
    jest.restoreAllMocks();
    holdJobs(service);
    expect(await idsOf('ended')).toHaveLength(500);
    await transfers.hold(`${hostname()} ${2 ** 22 + 1} a`, new Date(Date.now() + 3_600_000), report.run);
    expect(await undo(report)).toMatchObject({ undone: 1_120, leftAlone: 0, remaining: 0 });
    expect(await idsOf('ended')).toEqual([]);
  });

  it('is made once, whoever asks for it at the same time', async () => {
    const report = await transfers.imported(csvOf('twice', 1_300), 'csv');
    const both = await Promise.allSettled([undo(report), undo(report)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: `The import ${report.run} is being undone already.` },
    });
    expect(await idsOf('twice')).toEqual([]);
    const events = (await transfers.eventsOf(report)).filter(({ action }) => action === 'pets.remove_all');
    expect(events).toHaveLength(3);
  });

  it('stops at once when another process has taken it over', async () => {
    const report = await transfers.imported(csvOf('taken', 1_120), 'csv');
    let stolen: Promise<unknown> | undefined;
    removing(async (work) => {
      await stolen;
      await work();
    });
    let pieces = 0;
    const later = new Date(Date.now() + 3_600_000);
    const onPiece = () => {
      if (++pieces === 2) stolen = transfers.hold('elsewhere 1 a', later, report.run);
    };
    await expect(undo(report, { onPiece })).rejects.toThrow('Another process continues');
    expect(await idsOf('taken')).toHaveLength(1_000);
    await expect(undo(report)).rejects.toThrow('is being undone already');
  });

  it('is refused while the import runs, and the import while it is undone', async () => {
    const content = csvOf('running', 1_500);
    const begunImport = await transfers.begun(content, 'csv');
    await transfers.hold('elsewhere 1 a', new Date(Date.now() + 3_600_000), begunImport.run);
    await expect(undo(begunImport)).rejects.toThrow('is still running');
    await expect(undoing.request(PETS_ADMIN, runOf(begunImport))).rejects.toThrow('is still running');
    await transfers.hold('elsewhere 1 a', new Date(0), begunImport.run);
    await undoing.request(PETS_ADMIN, runOf(begunImport));
    await expect(transfers.imported(content, 'csv')).rejects.toThrow('which is being undone');
    expect(await undo(begunImport)).toMatchObject({ undone: 1_000, remaining: 0 });
    // The way back from the undo: the same file from its beginning, without being told to do it again.
    const again = await transfers.imported(content, 'csv');
    expect(again).toMatchObject({ resumedAt: 0, imported: 1_500 });
    expect(again.run).not.toBe(begunImport.run);
  });

  it('is made by a job in the name of who asked for it, and by the next process if that one stops', async () => {
    const report = await transfers.imported(csvOf('asked', 120), 'csv');
    await actingAs({ name: 'key_of_an_operator', address: '10.0.0.7' }, () =>
      undoing.request(PETS_ADMIN, runOf(report)),
    );
    // The run of the job has the address: an erasure finds it there.
    const { undoActor } = (await ledger.find(PETS_ADMIN, runOf(report))) ?? {};
    expect(undoActor).toBe('{"name":"key_of_an_operator"}');
    await expect(undoing.request(PETS_ADMIN, runOf(report))).rejects.toThrow('is being undone already');
    expect(await idsOf('asked')).toHaveLength(120);
    const runs = service.app.get(StoredRunsRepository, { strict: false });
    const job = async () => (await runs.list({ job: 'ImportUndoJob.run' }, 1))[0];
    let calls = 0;
    removing((work) => {
      if (++calls === 1) throw new Error('the machine is gone');
      return work();
    });
    jobs.release();
    await until(async () => (await idsOf('asked')).length === 0);
    expect(await job()).toMatchObject({ done: 120n, total: 120n });
    const newest = (await transfers.eventsOf(report)).at(-1);
    expect([newest?.action, newest?.actor, newest?.address]).toEqual([
      'pets.remove_all',
      'key_of_an_operator',
      '10.0.0.7',
    ]);
    await until(async () => (await job())?.state === 'finished');
    expect((await ledger.find(PETS_ADMIN, runOf(report)))?.undoneAt).toBeInstanceOf(Date);
  });

  it('ends when an operator stops its job, and goes on when it is asked for again', async () => {
    const report = await transfers.imported(csvOf('halted', 1_120), 'csv');
    const runs = service.app.get(StoredRunsRepository, { strict: false });
    let pieces = 0;
    let stopped: Promise<boolean> | undefined;
    removing(async (work) => {
      await stopped;
      await work();
    });
    const stop = async () => {
      const [{ id } = { id: 0n }] = await runs.list({ job: 'ImportUndoJob.run' }, 1);
      return runs.stop(id);
    };
    const onPiece = () => void (++pieces === 2 && (stopped = stop()));
    await expect(undo(report, { onPiece })).rejects.toThrow(
      `An operator has stopped the undo of import ${report.run}: do the same again to go on.`,
    );
    expect(await idsOf('halted')).toHaveLength(1_000);
    expect(await undo(report)).toMatchObject({ undone: 1_120, remaining: 0 });
  });

  it('is refused once what it needs is gone, or was never kept', async () => {
    const report = await transfers.imported(csvOf('old', 3), 'csv');
    const batches = service.app.get(DataSource).getRepository(ImportBatch);
    await service.app.get(ImportRetentionJob, { strict: false }).run();
    expect(await batches.countBy({ runId: runOf(report) })).toBe(1);
    await batches.update({ runId: runOf(report) }, { at: new Date(Date.now() - 91 * 86_400_000) });
    await service.app.get(ImportRetentionJob, { strict: false }).run();
    await expect(undo(report)).rejects.toThrow('cannot be undone: it is more than 90 days old');
    expect(await idsOf('old')).toHaveLength(3);
    const none = await transfers.imported('name,categoryId\nx,y\n', 'csv');
    await expect(undo(none)).rejects.toThrow(`The import ${none.run} added nothing.`);
  });

  it('is one entry of the audit log, as the import is, and both open into their records', async () => {
    const trail = service.app.get(AuditTrailService, { strict: false });
    const entries = service.app.get(ImportEntries, { strict: false });
    const report = await transfers.imported(csvOf('entry', 2_100), 'csv');
    const ids = (await idsOf('entry')).toReversed();
    await transfers.records.create(PETS_ADMIN, { name: 'between', categoryId: 1n });
    await undo(report);
    const of = { subjectType: 'pets' };
    const [removal, between, added, next] = await trail.listFolded(of, { limit: 4 });
    expect([removal, between, added].map((entry) => entry?.action)).toEqual([
      'pets.remove_all',
      'pets.create',
      'pets.import',
    ]);
    expect(next?.subjectId).not.toBe(`import:${report.run}`);
    // The next page, wherever this one ends, has neither of them again.
    for (const entry of [removal, between, added]) {
      const page = await trail.listFolded(of, { before: entry?.id, limit: 3 });
      const same = page.filter(({ subjectId }) => subjectId === `import:${report.run}`);
      expect(same.map(({ action }) => action)).toEqual(entry === added ? [] : ['pets.import']);
    }
    const all: bigint[] = [];
    for (let skip = 0; skip < 2_100; skip += 900) {
      all.push(...(await entries.importedIds(added as never, { skip, limit: 900 })));
    }
    expect(all).toEqual(ids);
    const removed: bigint[] = [];
    for (let before: bigint | undefined; removed.length < 2_100;) {
      const filter = { whole: removal?.id, action: 'pets.remove' };
      const page = await trail.list(filter, { before, limit: 900 });
      expect(page.length).toBeGreaterThan(0);
      removed.push(...page.map(({ subjectId }) => BigInt(subjectId)));
      before = page.at(-1)?.id;
    }
    expect(removed.toSorted((a, b) => (a < b ? 1 : -1))).toEqual(ids);
    expect(new Set(removed).size).toBe(2_100);
    expect(await trail.listFolded({ ...of, subjectId: `import:${report.run}` }, { limit: 100 })).toHaveLength(
      8,
    );
  });
});
