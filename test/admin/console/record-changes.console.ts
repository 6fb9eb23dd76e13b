import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { PetsService } from '../../../src/pets/pets.service';
import { RecordHistory } from '../../../src/admin/records/history/record-history.service';
import { RecordsService } from '../../../src/admin/records/records.service';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import {
  type ConsoleClient,
  hiddenFields,
  openConsole,
  textIn,
  typedIn,
} from '../../support/service/console';
import { buttonsIn, codesIn, emptyIn, faultsIn, historyIn, noticeIn } from './support/said';

const LIST = '/admin/records/pets';

describeOneEngine('A change of records in the console', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let client: ConsoleClient;
  let keyId: string;

  beforeAll(async () => {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
    const key = await service.keyWith('admin:read', 'admin:pets');
    client = await openConsole(service, key);
    keyId = /key_[0-9a-f]{16}/.exec((await client.get(LIST)).html)?.[0] ?? '';
  });
  afterAll(() => service.stop());

  async function add(name: string, status?: string): Promise<bigint> {
    const { id } = await records.create(PETS_ADMIN, { name, categoryId: 3n, ...(status && { status }) });
    return id;
  }

  const valuesOf = async (id: bigint) => (await records.get(PETS_ADMIN, id)).values;
  const eventsOf = async (id: bigint) =>
    (await service.app.get(RecordHistory, { strict: false }).list(PETS_ADMIN, id, 20)).entries.flatMap(
      ({ event }) => event ?? [],
    );
  const form = (path: string, action = path) =>
    client.get(path).then(({ html }) => hiddenFields(html, action));

  it('adds a record with a form, and records who sent it', async () => {
    const path = `${LIST}/new`;
    const { location } = await client.submit(path, path, {
      name: ' Rex & "Co" ',
      categoryId: '9223372036854775807',
      status: 'pending',
    });
    const id = BigInt(/\/(\d+)$/.exec(location ?? '')?.[1] ?? 0);
    expect(await valuesOf(id)).toEqual({
      id,
      name: ' Rex & "Co" ',
      categoryId: 9223372036854775807n,
      status: 'pending',
    });
    const [event] = await eventsOf(id);
    expect(event).toMatchObject({ actor: keyId, action: 'pets.create', address: '127.0.0.1' });
    expect(event?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    const page = await client.get(location ?? '');
    expect(noticeIn(page)).toMatchObject({ tone: 'success', text: expect.stringContaining(` ${id} `) });
    expect(historyIn(page)).toEqual([['Added', keyId, []]]);
    expect(noticeIn(await client.get(location ?? ''))).toBeUndefined();
  });

  it('is made once, however often its form is sent', async () => {
    const path = `${LIST}/new`;
    const fields = { ...(await form(path)), name: 'Once', categoryId: '1' };
    expect((await client.post(path, fields)).status).toBe(303);
    const second = await client.post(path, fields);
    expect([second.status, codesIn(second)]).toEqual([409, ['repeated_form']]);
    expect(await records.count(PETS_ADMIN, { where: { name: { contains: 'Once' } } }, 10)).toBe(1);
  });

  it('is refused for a form with faults, which keeps its values and shows every fault', async () => {
    const path = `${LIST}/new`;
    const before = await records.count(PETS_ADMIN, {}, 1_000);
    const response = await client.submit(path, path, { name: '', categoryId: '1.5"><b>', status: 'gone' });
    expect(response.status).toBe(422);
    expect(typedIn(response, 'categoryId')).toBe('1.5"><b>');
    expect(typedIn(response, 'status')).toBe('gone');
    const { categoryId, status, ...others } = faultsIn(response);
    expect(categoryId).toMatch(/^Category id /);
    expect(status).toMatch(/^Status .*available, pending, sold/);
    expect(others).toEqual({});
    expect(response.html).not.toContain('<b>');
    expect(await records.count(PETS_ADMIN, {}, 1_000)).toBe(before);
    // It was not carried out, so it can be sent again as it now stands.
    const fields = { ...hiddenFields(response.html, path), name: 'Corrected', categoryId: '1' };
    expect((await client.post(path, fields)).status).toBe(303);
  });

  it('changes exactly the fields that were edited in the form', async () => {
    const id = await add('\nline one\r\nline two\nline three', 'available');
    const path = `${LIST}/${id}/edit`;
    const page = await client.get(path);
    expect(typedIn(page, 'name')).toBe('\nline one\r\nline two\nline three');
    const typed = { name: '\r\nline one\r\nline two\r\nline three', categoryId: ' 3 ', status: '' };
    const response = await client.submit(path, path, typed);
    expect([response.status, response.location]).toEqual([303, `${LIST}/${id}`]);
    expect(await valuesOf(id)).toEqual({ id, name: '\nline one\r\nline two\nline three', categoryId: 3n });
    const changed = await client.get(`${LIST}/${id}`);
    expect(historyIn(changed)[0]).toEqual(['Changed', keyId, [['Status', 'Available', '–']]]);
    expect(changed.html).toMatch(/class="history-origin">[^<]*127\.0\.0\.1/);
    const again = await client.submit(path, path, { ...typed, name: typed.name });
    expect(again.status).toBe(303);
    expect(noticeIn(await client.get(`${LIST}/${id}`))).toMatchObject({ tone: 'warning', actions: [] });
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it('sets a status with one click', async () => {
    const id = await add('Clicked', 'available');
    const action = `${LIST}/${id}/edit`;
    const response = await client.submit(`${LIST}/${id}`, action, { status: 'sold' });
    expect(response.location).toBe(`${LIST}/${id}`);
    expect(await valuesOf(id)).toMatchObject({ status: 'sold', name: 'Clicked' });
    expect((await eventsOf(id))[0]).toMatchObject({ actor: keyId, action: 'pets.update' });
  });

  it('does not overwrite the change of another caller unless confirmed', async () => {
    const id = await add('Before', 'available');
    const path = `${LIST}/${id}/edit`;
    const fields = { ...(await form(path)), name: 'Mine', categoryId: '3', status: 'available' };
    await records.update(PETS_ADMIN, id, { name: 'Theirs', status: 'pending' });
    const refused = await client.post(path, fields);
    expect(refused.status).toBe(409);
    expect(faultsIn(refused)['']).toMatch(new RegExp(`\\b${id}\\b.*\\bservice\\b`));
    const text = textIn(refused);
    expect(text).toContain('Name Before Theirs Mine');
    expect(text).toContain('Status Available Pending');
    expect(typedIn(refused, 'name')).toBe('Mine');
    expect(typedIn(refused, 'status')).toBe('pending');
    expect(await valuesOf(id)).toMatchObject({ name: 'Theirs', status: 'pending' });
    const now = { ...hiddenFields(refused.html, path), name: 'Mine', categoryId: '3', status: 'pending' };
    expect((await client.post(path, now)).status).toBe(303);
    expect(await valuesOf(id)).toMatchObject({ name: 'Mine', status: 'pending' });
    // An API client leaves no name.
    const stale = { ...(await form(path)), name: 'Again', categoryId: '3', status: 'pending' };
    await service.app.get(PetsService, { strict: false }).update(id, { name: 'By a client' });
    const nameless = await client.post(path, stale);
    expect([nameless.status, faultsIn(nameless)['']]).toEqual([
      409,
      expect.not.stringMatching(/service|key_/),
    ]);
    const withoutVersion = { ...stale, 'record-version': '' };
    expect((await client.post(path, withoutVersion)).status).toBe(409);
    expect(await valuesOf(id)).toMatchObject({ name: 'By a client' });
  });

  it('removes a record, which can be restored', async () => {
    const id = await add('Removed', 'sold');
    const path = `${LIST}/${id}/remove`;
    expect(codesIn(await client.get(path))).toEqual(['kept']);
    const stale = await form(path);
    await records.update(PETS_ADMIN, id, { name: 'Renamed' });
    const refused = await client.post(path, stale);
    expect([refused.status, faultsIn(refused)['']]).toEqual([409, expect.stringMatching(/\bservice\b/)]);
    const { location } = await client.submit(path, path);
    expect(location).toBe(`${LIST}/${id}`);
    expect((await service.fetch(`/v1/pets/${id}`)).status).toBe(404);
    expect(emptyIn(await client.get(`${LIST}?name=Renamed`))).toBeDefined();
    expect((await client.get(`${LIST}?name=Renamed&removed-records=only`)).html).toContain('>Removed</span>');
    const removed = await client.get(`${LIST}/${id}`);
    expect(codesIn(removed)).toContain('removed');
    expect(removed.html).not.toMatch(/\/edit"|\/remove"/);
    expect((await client.submit(`${LIST}/${id}/edit`, `${LIST}/${id}/edit`, { name: 'x' })).status).toBe(409);
    const restore = hiddenFields(removed.html, `${LIST}/${id}/restore`);
    expect((await client.post(`${LIST}/${id}/restore`, restore)).location).toBe(`${LIST}/${id}`);
    expect(await valuesOf(id)).toMatchObject({ name: 'Renamed', status: 'sold' });
    await client.post(`${LIST}/${id}/restore`, restore);
    expect(noticeIn(await client.get(`${LIST}/${id}`))).toMatchObject({ tone: 'warning' });
    const actions = (await eventsOf(id)).map(({ action, actor }) => `${action} ${actor}`);
    expect(actions.slice(0, 2)).toEqual([`pets.restore ${keyId}`, `pets.remove ${keyId}`]);
  });

  it('changes many records at once, exactly those that were announced', async () => {
    const ids = [
      await add('bulk 1', 'available'),
      await add('bulk 2', 'available'),
      await add('bulk 3', 'sold'),
    ];
    const chosen = `${LIST}/bulk?name=bulk&set-status=sold`;
    expect(textIn(await client.get(`${LIST}/bulk?name=bulk`))).toContain('3 pets ');
    const question = await client.get(chosen);
    expect(textIn(question)).toContain('Name contains: bulk');
    expect(buttonsIn(question)).toContain('Change 3 pets');
    const action = chosen.replace('&', '&amp;');
    const fields = hiddenFields(question.html, action);
    const fourth = await add('bulk 4', 'pending');
    const refused = await client.post(chosen, fields);
    expect(refused.status).toBe(409);
    expect(faultsIn(refused)['']).toMatch(/\b4 pets\b.*\b3\b/);
    expect(buttonsIn(refused)).toContain('Change 4 pets');
    expect(await valuesOf(ids[0] as bigint)).toMatchObject({ status: 'available' });
    const done = await client.post(chosen, hiddenFields(refused.html, action));
    expect(done.location).toBe(`${LIST}?name=bulk`);
    expect(noticeIn(await client.get(LIST))).toMatchObject({
      tone: 'success',
      text: expect.stringMatching(/\b3 pets\b.*\bSold\b.*\b1 pet\b/),
      actions: ['Undo'],
    });
    for (const id of [...ids, fourth]) expect(await valuesOf(id)).toMatchObject({ status: 'sold' });
    expect((await eventsOf(fourth))[0]).toMatchObject({ actor: keyId, action: 'pets.update' });
    const emptying = `${LIST}/bulk?name=bulk&set-to-nothing=status`;
    const asked = await client.get(emptying);
    expect(asked.html).toMatch(/<dt>Status[^<]*<\/dt><dd><span class="nothing"/);
    await client.post(emptying, hiddenFields(asked.html, emptying.replace('&', '&amp;')));
    expect(await valuesOf(fourth)).not.toHaveProperty('status');
    expect(textIn(await client.get(`${LIST}?name=bulk&not-set=status`))).toContain('4 pets');
  });

  it('sets any field of many records, as far as their form may change it', async () => {
    const ids = [await add('any 1'), await add('any 2')];
    const path = `${LIST}/bulk?name=any&set-categoryId=9007199254740993&set-name=Renamed`;
    const asked = await client.get(`${LIST}/bulk?name=any`);
    for (const name of ['name', 'categoryId', 'status']) expect(asked.html).toContain(`name="set-${name}"`);
    expect(asked.html).not.toContain('name="set-id"');
    const { html } = await client.get(path);
    await client.post(path, hiddenFields(html, path.replaceAll('&', '&amp;')));
    for (const id of ids) {
      expect(await valuesOf(id)).toMatchObject({ name: 'Renamed', categoryId: 9007199254740993n });
    }
  });

  it.each([
    'set-status=gone',
    'set-categoryId=x',
    'set-nothing=x',
    'set-to-nothing=name',
    'set-to-nothing=status&set-status=sold',
    '',
    'name=bulk',
    'status=gone&set-status=sold',
    'removed-records=only&set-status=sold',
  ])('is refused for a bulk form that is ambiguous: %s', async (query) => {
    const id = await add('aimless', 'available');
    // So many as would be changed if the address named no filter.
    const all = await records.count(PETS_ADMIN, {}, 1_000);
    const fields = { ...(await form(`${LIST}/new`)), 'expected-count': String(all) };
    const response = await client.post(`${LIST}/bulk?${query}`, fields);
    expect([409, 422]).toContain(response.status);
    expect(await valuesOf(id)).toMatchObject({ status: 'available' });
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('is refused for a form of another session, and for a person who may only read', async () => {
    const id = await add('Kept', 'available');
    const record = `${LIST}/${id}`;
    const paths = [
      `${LIST}/new`,
      `${record}/edit`,
      `${record}/remove`,
      `${record}/restore`,
      `${LIST}/bulk?name=Kept&set-status=sold`,
    ];
    const viewer = await openConsole(service, await service.keyWith('admin:read', 'admin:keys'));
    const viewed = (await viewer.get('/admin/sessions')).html;
    const own = hiddenFields(viewed, '/admin/sign-out-everywhere');
    const typed = {
      name: 'x',
      status: 'sold',
      'was-status': 'available',
      categoryId: '1',
      'expected-count': '1',
    };
    const { version } = await records.get(PETS_ADMIN, id);
    for (const path of paths) {
      const fields = { ...typed, 'record-version': version };
      expect([path, (await client.post(path, fields)).status]).toEqual([path, 403]);
      const refused = await viewer.post(path, { ...fields, ...own });
      expect([path, refused.status, textIn(refused).includes('admin:pets')]).toEqual([path, 403, true]);
      if (!path.endsWith('/restore')) expect((await viewer.get(path)).status).toBe(403);
    }
    expect(await valuesOf(id)).toMatchObject({ name: 'Kept', status: 'available' });
    expect(await eventsOf(id)).toHaveLength(1);
    expect(await records.count(PETS_ADMIN, { where: { name: { contains: 'Forged' } } }, 10)).toBe(0);
  });

  it('appears in the history of the record, page by page', async () => {
    const id = await add('Talked about');
    for (let i = 0; i < 24; i++) await records.update(PETS_ADMIN, id, { name: `name ${i}` });
    const seen: string[] = [];
    let path: string | undefined = `${LIST}/${id}`;
    while (path !== undefined) {
      const { html } = await client.get(path);
      const history = html.slice(html.indexOf('<ol class="history">'));
      seen.push(
        ...[...history.matchAll(/class="history-title" href="\/admin\/audit\/\d+">(\w+)</g)].map(
          ([, title = '']) => title,
        ),
      );
      path = /href="([^"#]*history-before=[\d.]+)[^"]*">Older/.exec(html)?.[1];
    }
    expect(seen).toEqual([...Array<string>(24).fill('Changed'), 'Added']);
    expect((await client.get(`${LIST}/${id}?history-before=x`)).status).toBe(404);
  });
});
