import { describeEachEngine } from '../../../../test/support/databases/databases';
import { Invoice, InvoiceLine } from '../../../../test/support/samples/sample-arrays';
import { openSampleDatabase, type SampleDatabase } from '../../../../test/support/databases/sample-database';
import { MissingReferenceError } from '../../errors/http-errors';
import { EntityRepository } from './entity-repository';

/** Lines with the extremes of every type of column. */
const LINES: InvoiceLine[] = [
  {},
  { label: '', amount: -(2n ** 63n), count: -(2 ** 31), ratio: 5e-324, price: '-0.01', flag: false },
  {
    label: '"Ü\\🐕\r\n',
    amount: 2n ** 63n - 1n,
    count: 2 ** 31 - 1,
    ratio: 1 / 3,
    price: '9999999999999.99',
    flag: true,
    day: '0001-01-01',
    at: new Date('0001-01-01T00:00:00.000Z'),
    token: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  },
  { ratio: 1.7976931348623157e308, at: new Date('2025-11-02T05:30:00.001Z'), day: '9999-12-31' },
];

describeEachEngine('Child rows of an entity', (engine) => {
  let samples: SampleDatabase;
  let invoices: EntityRepository<Invoice>;

  beforeAll(async () => {
    samples = await openSampleDatabase(engine);
    invoices = new EntityRepository(samples.database, Invoice);
  });
  afterAll(() => samples.close());

  function invoice(lines: readonly InvoiceLine[], customer = 'Ada') {
    return { customer, lines: [...lines] };
  }

  async function stored(id: bigint): Promise<object> {
    return { ...(await invoices.findOne(id)) };
  }

  function labels(...texts: string[]): InvoiceLine[] {
    return texts.map((label) => ({ label }));
  }

  it('are stored and read with their parent, exactly and in order', async () => {
    const { id } = await invoices.insert(invoice(LINES));
    expect(await stored(id)).toStrictEqual({ id, ...invoice(LINES) });
    const empty = await invoices.insert(invoice([]));
    expect(await stored(empty.id)).toStrictEqual({ id: empty.id, ...invoice([]) });
  });

  if (engine === 'postgres') {
    it('have the last instant where another writer has stored one without an end', async () => {
      const { id } = await invoices.insert(invoice(labels('endless')));
      await samples.dataSource.query(
        `UPDATE "invoice_lines" SET "at" = 'infinity' WHERE "label" = 'endless'`,
      );
      expect(await stored(id)).toMatchObject({ lines: [{ at: new Date('9999-12-31T23:59:59.999Z') }] });
    });
  }

  it('are read for a whole page, and written for many parents, in one statement', async () => {
    const { id: after } = await invoices.insert(invoice([]));
    const rows = Array.from({ length: 230 }, (_, n) =>
      invoice(labels(...Array.from({ length: n % 7 }, (__, line) => `${n} ${line}`))),
    );
    await invoices.insertMany(rows);
    const query = jest.spyOn(samples.database, 'query');
    const page = await invoices.findPage({ limit: 100, cursor: undefined }, {});
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
    expect(page.items).toHaveLength(100);
    const all = await invoices.findAfter({ after, limit: 1_000 });
    expect(all.map(({ customer, lines }) => ({ customer, lines }))).toStrictEqual(rows);
    const added = jest.spyOn(samples.database, 'query');
    await invoices.insert(invoice(labels('a', 'b', 'c')));
    expect(added).toHaveBeenCalledTimes(2);
    added.mockRestore();
  });

  it('are replaced as a whole, and not written when they are unchanged', async () => {
    const { id } = await invoices.insert(invoice(labels('a', 'b', 'c')));
    await invoices.update({ id, ...invoice(labels('c', 'a'), 'Grace') });
    expect(await stored(id)).toStrictEqual({ id, ...invoice(labels('c', 'a'), 'Grace') });
    const query = jest.spyOn(samples.database, 'query');
    await invoices.update({ id, ...invoice(labels('c', 'a')) });
    expect(query).toHaveBeenCalledTimes(2);
    query.mockRestore();
    await invoices.update({ id, ...invoice([]) });
    expect(await stored(id)).toStrictEqual({ id, ...invoice([]) });
  });

  it('are removed with their parent', async () => {
    const { id } = await invoices.insert(invoice(labels('gone')));
    await invoices.delete(id);
    const left = await samples.dataSource.getRepository(InvoiceLine).countBy({ invoiceId: id });
    expect(left).toBe(0);
  });

  it('are stored with their parent, all or none', async () => {
    const customer = 'Refused';
    const refused = invoices.insert({ customer, lines: [{ label: 'ok' }, { feeId: 999_999n }] });
    await expect(refused).rejects.toBeInstanceOf(MissingReferenceError);
    expect(await invoices.count({ customer }, 1)).toBe(0);
    const { id } = await invoices.insert(invoice(labels('kept')));
    const replaced = invoices.update({ id, ...invoice([{ label: 'new' }, { feeId: 999_999n }], 'Grace') });
    await expect(replaced).rejects.toBeInstanceOf(MissingReferenceError);
    expect(await stored(id)).toStrictEqual({ id, ...invoice(labels('kept')) });
  });

  it.each([
    ['the second', [{}, { feeId: 999_998n }, { feeId: 999_999n }], 'lines[1].feeId'],
    ['the last of many', [...labels(...'abcdefgh'), { feeId: 999_999n }], 'lines[8].feeId'],
  ])('are refused with the path of a reference to nothing: %s', async (_which, lines, path) => {
    const message = `${path} refers to a record that does not exist.`;
    const { id } = await invoices.insert(invoice([]));
    for (const refused of [
      () => invoices.insert(invoice(lines)),
      () => invoices.update({ id, ...invoice(lines) }),
      () => samples.database.transaction(() => invoices.insertMany([invoice(labels('x')), invoice(lines)])),
    ]) {
      await expect(refused()).rejects.toMatchObject({ message, code: 'missing_reference' });
    }
  });

  it('lose no row when several transactions append at once', async () => {
    const { id } = await invoices.insert(invoice([]));
    const append = (label: string) =>
      samples.database.transaction(async () => {
        const found = await invoices.findOneForUpdate(id);
        const lines = [...(found?.lines ?? []), { label }];
        await invoices.update({ id, ...invoice(lines) });
      });
    const texts = Array.from({ length: 8 }, (_, n) => `line ${n}`);
    await Promise.all(texts.map(append));
    const { lines } = (await stored(id)) as Invoice;
    expect(lines.map(({ label }) => label).sort()).toEqual(texts);
  });
});
