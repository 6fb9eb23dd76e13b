import { once } from 'node:events';
import type { PassThrough } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { BATCH, csvOf, PetTransfers } from '../../../../test/admin/support/pet-transfers';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { until } from '../../../../test/support/until';
import { PETS_ADMIN } from '../../../pets/pets.admin';
import { ImportBatch } from './import-batch.entity';
import { ImportFile } from './import-file';
import { ImportLedger } from './import-ledger.repository';
import { ImportRetentionJob } from './import-retention-job';
import { type ImportReport, ImportService } from './import.service';
import { RefusedRows } from './refused-rows.service';
import { refusalWriter } from './refusals';

describeEachEngine('Refused rows', (engine) => {
  let service: TestService;
  let transfers: PetTransfers;

  beforeAll(async () => {
    service = await startTestService(engine);
    transfers = new PetTransfers(service);
  });
  afterAll(() => service.stop());

  it('are a CSV file that is whole after an interruption, and is imported once it is corrected', async () => {
    const content = csvOf('corrected', 2_500).replaceAll(/corrected (\d*)7,1/g, 'corrected $17,x');
    await transfers.begun(content, 'csv');
    const report = await transfers.imported(content, 'csv');
    expect(report).toMatchObject({ resumedAt: BATCH, imported: 2_250, refused: 250 });
    const text = await transfers.refusedBy(report);
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(252);
    expect(lines.slice(0, 2)).toEqual([
      'refusedLine,refusedBecause,name,categoryId',
      expect.stringMatching(/^9,categoryId must be an integer .*,corrected 7,x$/),
    ]);
    expect(await transfers.imported(text.replaceAll(',x\r\n', ',1\r\n'), 'csv')).toMatchObject({
      imported: 250,
      refused: 0,
    });
    expect(await transfers.stored('corrected')).toHaveLength(2_500);
  });

  it('are kept with U+0000 in a cell, which no engine stores, while the others are imported', async () => {
    const content = csvOf('nul', 5).replace('nul 3', 'n\0l 3');
    const report = await transfers.imported(content, 'csv');
    expect(report).toMatchObject({ imported: 4, refused: 1 });
    const kept = await service.app.get(DataSource).getRepository(ImportBatch).findBy({ runId: report.run });
    expect(kept.map(({ refused }) => refused).join('')).toContain('n\uFFFDl 3');
  });

  it('are kept for 90 days', async () => {
    const ledger = service.app.get(ImportLedger, { strict: false });
    const batches = service.app.get(DataSource).getRepository(ImportBatch);
    const content = csvOf('kept', 1_200).replaceAll(/kept (\d*)99,1/g, 'kept $199,x');
    await transfers.begun(content, 'csv');
    const report = await transfers.imported(content, 'csv');
    const run = report.run as bigint;
    const kept = () => transfers.refusedBy(report);
    expect((await kept()).split('\r\n').map((line) => line.replace(/,.*,/, ' '))).toEqual([
      'refusedLine categoryId',
      ...Array.from({ length: 12 }, (_, index) => `${index * 100 + 101} x`),
      '',
    ]);
    await service.app.get(ImportRetentionJob, { strict: false }).run();
    expect(await ledger.refusedSize(run)).toBe((await kept()).length);
    await batches.update({ runId: run }, { at: new Date(Date.now() - 91 * 86_400_000) });
    await service.app.get(ImportRetentionJob, { strict: false }).run();
    expect([await kept(), await ledger.refusedSize(run)]).toEqual(['', 0]);
  });

  it('are kept of an import only up to 32 MiB, from the first one on', async () => {
    const ledger = service.app.get(ImportLedger, { strict: false });
    const keptOf = async (rows: number) => {
      const row = JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 'none' });
      const report = await transfers.imported(`${row}\n{}\n`.repeat(rows), 'ndjson');
      expect(report.refused).toBe(2 * rows);
      const kept = (await transfers.refusedBy(report)).match(/^\{"refusedLine":/gm);
      return [kept?.length, await ledger.keepsRefused(report.run as bigint)];
    };
    expect(await keptOf(33)).toEqual([66, true]);
    const [kept, isWhole] = await keptOf(40);
    expect([Number(kept) >= 50, Number(kept) < 70, isWhole]).toEqual([true, true, false]);
  });

  it('are looked for as fast as their reader takes them', async () => {
    const content = Buffer.from(`name,categoryId\n${`${'x'.repeat(200)}\n`.repeat(4 * BATCH)}`);
    const refused = service.app.get(RefusedRows, { strict: false });
    const text = refused.read(PETS_ADMIN, ImportFile.of(content, 'pets.csv', 'csv')) as PassThrough;
    await until(() => text.writableNeedDrain);
    for (let i = 0; i < 1_000; i++) await turn();
    expect(text.writableLength).toBeLessThan(2 * BATCH * 200);
    expect((await readText(text)).split('\r\n')).toHaveLength(4 * BATCH + 2);
  });

  it('are not looked for any more once nobody reads them', async () => {
    const imports = service.app.get(ImportService, { strict: false });
    const trying = jest.spyOn(imports, 'import');
    const content = Buffer.from(`name,categoryId\n${'x\n'.repeat(200_000)}`);
    const refused = service.app.get(RefusedRows, { strict: false });
    const text = refused.read(PETS_ADMIN, ImportFile.of(content, 'pets.csv', 'csv'));
    await once(text, 'data');
    text.destroy();
    const report = (await trying.mock.results[0]?.value) as ImportReport;
    trying.mockRestore();
    expect(report.rows).toBe(200_000);
    expect(report.done).toBeLessThan(10 * BATCH);
  });
});

describe('A file of refused rows', () => {
  it('has in CSV the line and the reason before each row, which stays as it was', () => {
    const writer = refusalWriter({ format: 'csv', byteOrderMark: '' }, 'name,categoryId');
    const refusals = [
      { line: 4, reason: 'categoryId must be an integer.', row: 'Milo,seven' },
      { line: 6, reason: 'status must be one of a, b.', row: '"Bo,7\r\nis",x' },
      { line: 9, reason: '=1', row: '' },
    ];
    expect([writer([], true), writer(refusals.slice(0, 1), false)]).toEqual([
      '',
      '4,categoryId must be an integer.,Milo,seven\r\n',
    ]);
    expect(writer(refusals, true)).toBe(
      'refusedLine,refusedBecause,name,categoryId\r\n4,categoryId must be an integer.,Milo,seven\r\n6,"status must be one of a, b.","Bo,7\r\nis",x\r\n9,\'=1,\r\n',
    );
  });

  it('has the separator of the imported file', () => {
    const writer = refusalWriter({ format: 'csv', byteOrderMark: '\ufeff' }, 'name;categoryId');
    expect(writer([{ line: 4, reason: 'a, b; c', row: 'Milo;seven' }], true)).toBe(
      '\ufeffrefusedLine;refusedBecause;name;categoryId\r\n4;"a, b; c";Milo;seven\r\n',
    );
  });

  it.each([
    ['{"name":"Nala","categoryId":9007199254740993}', ',"name":"Nala","categoryId":9007199254740993}'],
    [' { "name" : 1 }', ',"name" : 1 }'],
    ['{ }', '}'],
    ['nonsense', ',"row":"nonsense"}'],
    ['[1]', ',"row":"[1]"}'],
  ])('has in NDJSON line and reason as the first members of each row: %s', (row, rest) => {
    const writer = refusalWriter({ format: 'ndjson', byteOrderMark: '' }, '');
    expect(writer([{ line: 3, reason: 'The "x" is wrong.', row }], true)).toBe(
      `{"refusedLine":3,"refusedBecause":"The \\"x\\" is wrong."${rest}\n`,
    );
  });
});
