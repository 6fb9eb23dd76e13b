import { SavedView } from '../../../src/admin/console/records/views/saved-view.entity';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { Database } from '../../../src/platform/database/database';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, hiddenFields, openConsole, unescaped } from '../../support/service/console';
import { faultsIn, noticeIn } from './support/said';

const LIST = '/admin/records/pets';
const ALL = ['Id', 'Name', 'Category id', 'Status', 'Added'];

describeOneEngine('The view of a list of records', (engine) => {
  let service: TestService;
  let client: ConsoleClient;
  let colleague: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, await service.keyWith('admin:read'));
    colleague = await openConsole(service, await service.keyWith('admin:read'));
    for (const [name, status] of [
      ['Rex', 'sold'],
      ['Luna', 'available'],
      ['', 'sold'],
    ]) {
      await service.post('/v1/pets', { name, categoryId: 7, status });
    }
  });
  afterAll(() => service.stop());

  const page = async (path: string, who = client) => (await who.get(path)).html;
  const headings = (html: string) =>
    [...html.matchAll(/<th\s+scope="col"[\s\S]*?<\/th>/g)]
      .map(([text]) => text.replaceAll(/<[^>]*>/g, '').trim())
      .filter((text) => text !== 'Choose');
  const choose = (fields: Record<string, string | string[]>, from = LIST, who = client) =>
    who.submit(from, `${LIST}/columns`, fields);
  const viewLinks = (html: string) =>
    [...html.matchAll(/<a href="([^"]*)" title="([^"]*)"( aria-current="page")?><bdi>([^<]*)</g)].map(
      ([, path = '', title, current, name]) => ({ name, title, path: unescaped(path), isCurrent: !!current }),
    );
  const idOf = async (name: string) => {
    const row = (await page(`${LIST}/views`))
      .split('<tr')
      .find((text) => text.includes(`<bdi>${name}</bdi>`));
    return /\/views\/(\d+)/.exec(row ?? '')?.[1] ?? 'none';
  };
  const save = async (query: string, fields: Record<string, string>, who = client) => {
    const path = unescaped(
      /href="([^"]*\/views\/new[^"]*)"/.exec(await page(`${LIST}${query}`, who))?.[1] ?? '',
    );
    const form = hiddenFields(await page(path, who), path.replaceAll('&', '&amp;'));
    return who.post(path, { ...form, ...fields });
  };

  describe('with chosen columns', () => {
    it('keeps them until all are shown again', async () => {
      expect(headings(await page(LIST))).toEqual(ALL);
      const from = `${LIST}?status=sold&sort-by=name`;
      const chosen = await choose({ column: ['status', 'createdAt'] }, from);
      expect([chosen.status, chosen.location]).toEqual([303, from]);
      expect(headings(await page(LIST))).toEqual(['Name', 'Status', 'Added']);
      expect(headings(await page(LIST, colleague))).toEqual(ALL);
      await choose({ 'all-columns': 'yes', column: 'status' });
      expect(headings(await page(LIST))).toEqual(ALL);
    });

    it('always has a column with the link to the record', async () => {
      await choose({ column: ['unknown'] });
      const html = await page(LIST);
      expect(headings(html)).toEqual(['Name']);
      expect(html).toMatch(/<th scope="row" role="rowheader"><a class="row-title" href="[^"]*\/3">Pet 3</);
      await choose({ 'all-columns': 'yes' });
    });

    it('takes the columns of its address first, and keeps them when the list is filtered', async () => {
      const html = await page(`${LIST}?columns=name,status,gone`);
      expect(headings(html)).toEqual(['Name', 'Status']);
      expect(hiddenFields(html, LIST)).toMatchObject({ columns: 'name,status,gone' });
      expect(html).toContain(`href="${LIST}?columns=name%2Cstatus%2Cgone">Reset`);
      expect(html).toContain(`href="${LIST}/export/csv"`);
    });
  });

  describe('that is saved', () => {
    it('keeps filters, order and columns under its name', async () => {
      await choose({ column: ['status'] });
      const saved = await save('?status=sold&sort-by=name', { name: ' Sold pets ' });
      expect(saved.status).toBe(303);
      const html = await page(saved.location ?? '');
      await choose({ 'all-columns': 'yes' });
      expect(noticeIn({ html })).toMatchObject({
        tone: 'success',
        text: expect.stringContaining('Sold pets'),
      });
      expect(headings(await page(saved.location ?? ''))).toEqual(['Name', 'Status']);
      expect(html).toMatch(/aria-sort="ascending"\s*>\s*<a class="sort"[^>]*>Name/);
      expect(viewLinks(html)).toEqual([
        { name: 'Sold pets', title: expect.anything(), path: saved.location, isCurrent: true },
      ]);
      expect(html).not.toContain('/views/new');
      expect(viewLinks(await page(`${LIST}?status=available`))[0]).toMatchObject({ isCurrent: false });
      expect(viewLinks(await page(LIST, colleague))).toEqual([]);
      const all = await page(`${LIST}/views`);
      expect(all).toMatch(/Status: Sold[^]*\bname[^]*Name, Status/);
    });

    it('can be shared with all operators, who see its author, and removed by those who may change the records', async () => {
      const { location = '' } = await save('?status=available', { name: 'To sell', shared: 'yes' });
      const [seen] = viewLinks(await page(LIST, colleague));
      expect(seen).toMatchObject({
        name: 'To sell',
        title: expect.stringMatching(/\btest$/),
        path: location,
      });
      const list = await page(`${LIST}/views`, colleague);
      expect(list).toContain('<bdi>test</bdi>');
      expect(list).not.toMatch(/\/remove"|>Edit/);
      const id = await idOf('To sell');
      const sent = hiddenFields(await page(LIST, colleague), '/admin/sign-out');
      for (const path of [`${LIST}/views/${id}`, `${LIST}/views/${id}/remove`]) {
        expect((await colleague.post(path, { ...sent, name: 'Mine now' })).status).toBe(404);
      }
      const keeper = await openConsole(service, await service.keyWith('admin:read', 'admin:pets'));
      const removed = await keeper.submit(`${LIST}/views`, `${LIST}/views/${id}/remove`);
      expect([removed.status, removed.location]).toEqual([303, `${LIST}/views`]);
      expect(viewLinks(await page(LIST, colleague))).toEqual([]);
    });

    it('can be renamed, shared and removed by its author, with audit events', async () => {
      await save('?name=Rex', { name: 'Rexes' });
      const id = await idOf('Rexes');
      const path = `${LIST}/views/${id}`;
      const twice = await client.submit(path, path, { name: 'Sold pets' });
      expect([twice.status, Object.keys(faultsIn(twice))]).toEqual([422, ['name']]);
      await client.submit(path, path, { name: 'All called Rex', shared: 'yes' });
      expect(viewLinks(await page(LIST, colleague)).map(({ name }) => name)).toEqual(['All called Rex']);
      await client.submit(path, `${path}/remove`);
      expect((await client.get(path)).status).toBe(404);
      const events = await service.app
        .get(AuditLog)
        .list({ subjectType: 'saved-views', subjectId: id }, { limit: 9 });
      expect(events.map(({ action }) => action)).toEqual([
        'saved-views.remove',
        'saved-views.update',
        'saved-views.create',
      ]);
      expect(JSON.parse(events[1]?.after ?? '')).toMatchObject({ name: 'All called Rex', isShared: true });
    });

    it('is listed before those that others share', async () => {
      const owner = await openConsole(service, await service.keyWith('admin:read'));
      await save('?name=Luna', { name: 'Zebras' }, owner);
      const shared = Array.from({ length: 201 }, (_, number) => ({
        kind: 'pets',
        owner: 'another',
        ownerName: 'another',
        name: number === 0 ? 'Zebras' : `A ${number}`,
        query: `?status=available&name=${number}`,
        isShared: true,
        createdAt: new Date(),
      }));
      const database = service.app.get(Database);
      await database.dataSource.getRepository(SavedView).insert(shared);
      const [first, ...others] = viewLinks(await page(LIST, owner));
      expect(first).toMatchObject({ name: 'Zebras', title: expect.not.stringContaining('another') });
      expect(others.map(({ name }) => name)).toContain('A 1');
      expect(await page(`${LIST}?name=Luna`, owner)).not.toContain('/views/new');
      expect((await page(`${LIST}/views`, owner)).indexOf('(you)')).toBeGreaterThan(0);
      await database.dataSource.getRepository(SavedView).delete({ owner: 'another' });
    });

    it('is refused when its author has fifty already', async () => {
      const author = await openConsole(service, await service.keyWith('admin:read'));
      await save('?status=sold', { name: 'First' }, author);
      const views = service.app.get(Database).dataSource.getRepository(SavedView);
      const { id: _, ...first } = await views.findOneByOrFail({ name: 'First' });
      await views.insert(Array.from({ length: 48 }, (_view, i) => ({ ...first, name: `View ${i}` })));
      expect((await save('?status=pending', { name: 'Fiftieth' }, author)).status).toBe(303);
      const refused = await save('?status=available', { name: 'One more' }, author);
      expect([refused.status, faultsIn(refused)]).toEqual([422, { '': expect.stringContaining(' 50 ') }]);
      expect((await save('?status=available', { name: 'Of another' })).status).toBe(303);
      await views.delete({ owner: first.owner });
    });

    it.each([
      ['?status=sold', { name: ' ' }, 'name'],
      ['?status=sold', { name: 'x'.repeat(61) }, 'name'],
      [`?name=${'x'.repeat(1_500)}`, { name: 'Long' }, ''],
    ])('is refused when it is invalid: case %#', async (query, fields, field) => {
      const refused = await save(query, fields);
      expect([refused.status, Object.keys(faultsIn(refused))]).toEqual([422, [field]]);
      expect((await client.get(`${LIST}/views/new?status=gone`)).status).toBe(422);
    });
  });
});
