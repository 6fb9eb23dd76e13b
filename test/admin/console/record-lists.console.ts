import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { RecordsService } from '../../../src/admin/records/records.service';
import { runSql } from '../../contract/support/sql';
import { describeOneEngine } from '../../support/databases/databases';
import { incompressible } from '../../support/samples/long-texts';
import { startTestService, type TestService } from '../../support/service/service';
import {
  type ConsoleClient,
  hiddenFields,
  openConsole,
  textIn,
  unescaped,
} from '../../support/service/console';
import { buttonsIn, emptyIn, faultsIn } from './support/said';

const LIST = '/admin/records/pets';
/** What the names of many pets begin with: more than an index covers, and than an address holds. */
const LONG = `long ${incompressible(9_000)}`;

/** Ids of the records a page lists, in its order. */
function idsIn(html: string): string[] {
  const body = /<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(html)?.[1] ?? '';
  return [...body.matchAll(/href="\/admin\/records\/pets\/(\d+)"/g)].map(([, id = '']) => id);
}

/** Where the link of a page with this relation leads. */
function linkIn(html: string, rel: string): string | undefined {
  const path = new RegExp(`href="([^"]*)" rel="${rel}"`).exec(html)?.[1];
  return path === undefined ? undefined : unescaped(path);
}

/** How many records a list says it has. */
function countIn(html: string): string {
  return textIn({ html: /<span role="status">([\s\S]*?)<\/span>/.exec(html)?.[1] ?? '' });
}

describeOneEngine('The list of records', (engine) => {
  let service: TestService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    client = await openConsole(service, service.key);
  });
  afterAll(() => service.stop());

  async function add(name: string, status?: string, categoryId = 3): Promise<string> {
    const response = await service.post('/v1/pets', { name, categoryId, ...(status && { status }) });
    return String(((await response.json()) as { id: number }).id);
  }

  const page = async (query: string) => (await client.get(`${LIST}${query}`)).html;

  it('leads to the form for the first record while it is empty', async () => {
    const shown = await client.get(LIST);
    expect([shown.status, emptyIn(shown)]).toEqual([200, { 'Add pet': `${LIST}/new` }]);
  });

  it('is in the navigation', async () => {
    expect((await client.get('/admin/sessions')).html).toContain('href="/admin/records/pets"');
  });

  it('is filtered by its address', async () => {
    const rex = await add('Rex', 'sold', 7);
    const luna = await add('Luna', 'available', 7);
    const tex = await add('TEX', undefined, 8);
    expect(idsIn(await page(''))).toEqual([tex, luna, rex]);
    expect(idsIn(await page('?name=ex'))).toEqual([tex, rex]);
    expect(idsIn(await page('?name=ex&status=sold'))).toEqual([rex]);
    expect(idsIn(await page('?categoryId=7&sort-by=name'))).toEqual([luna, rex]);
    expect(idsIn(await page(`?id=${luna}`))).toEqual([luna]);
    const today = new Date().toISOString().slice(0, 10);
    expect(idsIn(await page(`?added-from=${today}`))).toHaveLength(3);
    expect(idsIn(await page('?added-to=2020-01-01'))).toEqual([]);
    expect(idsIn(await page('?added-to=9999-12-31'))).toHaveLength(3);
    const withoutStatus = await page('?not-set=status');
    expect(idsIn(withoutStatus)).toEqual([tex]);
    expect(withoutStatus).toMatch(/name="not-set"[\s\S]*?<option value="status"\s+selected>Status</);
    const none = await page('?name=unmatched');
    expect(emptyIn({ html: none })).toEqual({ 'Clear the filters': LIST });
    expect(none).toContain(`href="${LIST}">Reset`);
    expect(none).toContain('value="unmatched"');
  });

  it('shows a status as a badge, a time in UTC, and links to sort by each column', async () => {
    const html = await page('?name=Rex&sort-by=-name');
    expect(html).toContain('<span class="badge badge-accent">Sold</span>');
    expect(html).toMatch(/<time datetime="[\d-]+T[\d:.]+Z"/);
    expect(html).toMatch(
      /aria-sort="descending"\s*>\s*<a class="sort" href="[^"]*\?name=Rex&amp;sort-by=name">Name<svg/,
    );
    expect(html).toMatch(
      /aria-sort="none"\s*>\s*<a class="sort" href="[^"]*\?name=Rex&amp;sort-by=status">Status<svg/,
    );
    expect(countIn(html)).toContain('1 pet');
  });

  it('has a search box and the status beside it, and folds the other filters until one is set', async () => {
    const folded = await page('?name=ex&status=sold');
    const [bar = '', more = ''] = folded.split('<details class="more">');
    expect(bar).toMatch(/<label for="field-name">[\s\S]*type="search"[\s\S]*value="ex"/);
    expect(bar).toContain('id="field-status"');
    expect(bar).not.toMatch(/type="date"|field-categoryId/);
    expect(more).toMatch(/field-categoryId[\s\S]*type="date"[\s\S]*field-removed-records/);
    expect(await page('?categoryId=7&removed-records=with')).toMatch(
      /<details class="more" open>\s*<summary>[^<]*<span class="badge badge-accent">2</,
    );
  });

  it('changes and exports exactly the chosen rows that match its filters', async () => {
    const ids = [await add('chosen 1', 'available', 5), await add('chosen 2', 'sold', 5)];
    const other = await add('chosen 3', 'available', 5);
    const html = await page('?categoryId=5&sort-by=name');
    const boxes = [...html.matchAll(/name="chosen-id" value="(\d+)" aria-label="Choose (chosen \d)"/g)];
    expect(boxes.map(([, id, title]) => [id, title])).toEqual([
      [ids[0], 'chosen 1'],
      [ids[1], 'chosen 2'],
      [other, 'chosen 3'],
    ]);
    const sent = new URLSearchParams({ ...hiddenFields(html, `${LIST}/bulk`) });
    expect(Object.fromEntries(sent)).toEqual({ 'chosen-id': '', categoryId: '5', 'sort-by': 'name' });
    for (const id of ids) sent.append('chosen-id', id);
    const file = await client.get(`${LIST}/export/csv?${sent.toString()}`);
    expect(file.html.match(/chosen \d/g)).toEqual(['chosen 1', 'chosen 2']);
    const path = `${LIST}/bulk?${sent.toString()}&set-status=pending`;
    const question = await client.get(path);
    expect(buttonsIn(question)).toContain('Change 2 pets');
    expect(question.html).toContain(ids.join(', '));
    const done = await client.post(path, hiddenFields(question.html, path.replaceAll('&', '&amp;')));
    expect([done.status, done.location]).toEqual([303, `${LIST}?categoryId=5&sort-by=name`]);
    expect(idsIn(await page('?categoryId=5&status=pending&sort-by=id'))).toEqual(ids);
    expect(idsIn(await page(`?chosen-id=${ids[0]},${other}&status=available`))).toEqual([other]);
  });

  it.each(['chosen-id=', 'chosen-id=&set-status=sold', 'chosen-id=x'])(
    'changes nothing when no row is chosen: %s',
    async (query) => {
      const { status, html } = await client.get(`${LIST}/bulk?${query}`);
      expect([status, Object.keys(faultsIn({ html }))]).toEqual([422, ['']]);
      // What follows from the form is still about chosen rows.
      expect(hiddenFields(html, `${LIST}/bulk`)).toHaveProperty('chosen-id');
      const sent = { ...hiddenFields(html, '/admin/sign-out'), 'expected-count': '3' };
      expect((await client.post(`${LIST}/bulk?${query}&set-status=sold`, sent)).status).toBe(422);
    },
  );

  it('is linked from a record with its filters and sort', async () => {
    const id = await add('Boomerang', 'sold', 6);
    const query = '?name=Boomerang&status=sold&sort-by=name';
    const browser = await openConsole(service, service.key);
    const back = async (path: string) =>
      unescaped(
        /<ol class="trail"><li><a href="([^"]*)">Pets</.exec((await browser.get(path)).html)?.[1] ?? '',
      );
    const pages = [`${LIST}/${id}`, `${LIST}/${id}/edit`, `${LIST}/${id}/remove`, `${LIST}/new`];
    expect(await back(`${LIST}/${id}`)).toBe(LIST);
    await browser.get(`${LIST}${query}`);
    for (const path of pages) expect([path, await back(path)]).toEqual([path, `${LIST}${query}`]);
    await browser.get(`${LIST}?status=gone`);
    expect(await back(`${LIST}/${id}`)).toBe(`${LIST}${query}`);
    await browser.get(LIST);
    expect(await back(`${LIST}/${id}`)).toBe(LIST);
  });

  it('leaves empty fields of its form out of its address', async () => {
    const { status, location } = await client.get(`${LIST}?name=&status=sold&added-from=`);
    expect([status, location]).toEqual([303, `${LIST}?status=sold`]);
    expect((await client.get(`${LIST}?name=`)).location).toBe(LIST);
  });

  it.each([
    ['?status=gone', 'status', '<option value="gone" selected>'],
    ['?categoryId=1.5', 'categoryId', 'value="1.5"'],
    ['?added-from=31.1.2026', 'added-from', 'value="31.1.2026"'],
    ['?name=a%00b', 'name', 'aria-invalid="true"'],
    ['?nmae=Rex', '', '“nmae”'],
    ['?name=a&name=b', '', '“name”'],
    ['?sort-by=removedAt', '', 'Show all pets'],
    ['?page-after=WyIxIl0x', '', 'Show all pets'],
    ['?page-after=WyI5OTk5OTkiXQ', '', 'Show all pets'],
    ['?__proto__=x&constructor=y', '', '“constructor”'],
    ['?%ff=%fe', '', '“\ufffd”'],
  ])(
    'keeps and marks an invalid filter in its address, and lists nothing: %s',
    async (query, field, kept) => {
      const { status, html } = await client.get(`${LIST}${query}`);
      expect([status, Object.keys(faultsIn({ html }))]).toEqual([422, [field]]);
      expect(html.replaceAll(/\s+/g, ' ')).toContain(kept);
      expect(emptyIn({ html })).toEqual({ 'Show all pets': LIST });
      expect(idsIn(html)).toEqual([]);
    },
  );

  it('escapes names, whatever they contain', async () => {
    const name = `"><script>alert('x')</script><b a='`;
    const id = await add(name, 'available');
    const paths = [
      `${LIST}?name=${encodeURIComponent(name)}`,
      `${LIST}/${id}`,
      `${LIST}/${id}/edit`,
      `${LIST}/${id}/remove`,
      `${LIST}/bulk?name=${encodeURIComponent(name)}`,
      `${LIST}/bulk?name=${encodeURIComponent(name)}&set-status=${encodeURIComponent(name)}`,
      `${LIST}?status=${encodeURIComponent(name)}&${encodeURIComponent(name)}=x`,
    ];
    for (const path of paths) {
      const { html } = await client.get(path);
      expect([path, html.includes('alert(')]).toEqual([path, true]);
      expect([path, /<script>|<b |'x'/.exec(html.replaceAll('<bdi ', ''))]).toEqual([path, null]);
    }
  });

  describe('with many records', () => {
    beforeAll(async () => {
      for (let i = 0; i < 110; i++) {
        const name = i % 10 < 6 ? `${LONG}${i % 3 === 0 ? '' : i % 7}` : `pet ${i % 13}`;
        await add(name, [undefined, 'available', 'pending', 'sold'][i % 4], i % 5);
      }
    });

    const orders = ['id', 'name', 'categoryId', 'status', 'createdAt'].flatMap((by) => [by, `-${by}`]);

    it.each(orders)(
      'has every record once on its pages, forwards and backwards, sorted by %s',
      async (sortBy) => {
        const by = sortBy.replace('-', '');
        const whole = await service.app
          .get(RecordsService, { strict: false })
          .search(PETS_ADMIN, { order: { by, descending: sortBy !== by }, limit: 1_000 });
        const expected = whole.map(({ values }) => String(values.id));
        expect(expected.length).toBeGreaterThan(110);
        const there: string[][] = [];
        const back: string[][] = [];
        let path: string | undefined = `${LIST}?sort-by=${sortBy}`;
        let html = '';
        while (path !== undefined) {
          ({ html } = await client.get(path));
          there.push(idsIn(html));
          path = linkIn(html, 'next');
        }
        expect(there.map(({ length }) => length)).toEqual([50, 50, expected.length - 100]);
        expect(there.flat()).toEqual(expected);
        while ((path = linkIn(html, 'prev')) !== undefined) {
          ({ html } = await client.get(path));
          back.unshift(idsIn(html));
        }
        expect(back).toEqual(there.slice(0, -1));
        expect(linkIn(html, 'first')).toBe(sortBy === '-id' ? LIST : `${LIST}?sort-by=${sortBy}`);
      },
    );

    it('shows the number of records, up to a limit', async () => {
      expect(countIn(await page('?name=long%20'))).toContain('66 pets');
      await runSql(
        service.database,
        `INSERT INTO pets (name, category_id) WITH RECURSIVE n(i) AS
         (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001) SELECT 'many', 99 FROM n`,
      );
      const tooMany = await page('?categoryId=99');
      expect(countIn(tooMany)).toContain(' 10,000 pets');
      const change = `href="${LIST}/bulk`;
      expect(await page('?name=long%20')).toContain(change);
      for (const html of [tooMany, await page('?removed-records=with')]) {
        expect(idsIn(html)).toHaveLength(50);
        expect(html).not.toContain(change);
      }
      expect(emptyIn({ html: await page('?categoryId=99&status=sold') })).toBeDefined();
      expect(emptyIn({ html: await page('/bulk?categoryId=99') })).toEqual({
        'Back to the list': `${LIST}?categoryId=99`,
      });
    });
  });

  it('has no buttons for a person who may only read', async () => {
    const viewer = await openConsole(service, await service.keyWith('admin:read'));
    const { html } = await viewer.get(LIST);
    expect(idsIn(html)).toHaveLength(50);
    expect(html).not.toMatch(
      /href="[^"]*\/pets\/(?:new|bulk|import)|name="chosen-id"|method="post" action="\/admin\/records(?!\/pets\/columns")/,
    );
    const [id] = idsIn(html);
    const record = await viewer.get(`${LIST}/${id}`);
    expect(record.html).not.toMatch(/Edit|Remove|Restore|method="post" action="\/admin\/records/);
  });

  it('is 404 for an unknown record type or id', async () => {
    expect((await client.get('/admin/records/nothing')).status).toBe(404);
    expect((await client.get('/admin/records/__proto__')).status).toBe(404);
    for (const id of ['999999', '0x1', '-0', '01', '9223372036854775808', 'abc']) {
      expect([id, (await client.get(`${LIST}/${id}`)).status]).toEqual([id, 404]);
    }
  });
});
