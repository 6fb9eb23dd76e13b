import { BulkChanges } from '../../../src/admin/records/bulk-changes.service';
import { RecordsService } from '../../../src/admin/records/records.service';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { PetsService } from '../../../src/pets/pets.service';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import {
  type ConsoleClient,
  type ConsoleResponse,
  hiddenFields,
  openConsole,
  textIn,
} from '../../support/service/console';
import { codesIn, historyIn, noticeIn } from './support/said';

const LIST = '/admin/records/pets';

/** Where the link "View" of a notice leads to. */
function viewIn({ html }: ConsoleResponse): string {
  return /href="([^"]+)">View</.exec(html)?.[1] ?? 'none';
}

/** Where the button "Undo" or "Redo" of a page leads to. */
function undoIn({ html }: ConsoleResponse): string {
  return /action="([^"]+\/undo)"/.exec(html)?.[1] ?? 'none';
}

describeOneEngine('The undo of a change in the console', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let bulk: BulkChanges;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
    bulk = service.app.get(BulkChanges, { strict: false });
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:pets'));
  });
  afterAll(() => service.stop());

  const add = async (name: string, status?: string) =>
    (await records.create(PETS_ADMIN, { name, categoryId: 3n, ...(status && { status }) })).id;
  const valuesOf = async (id: bigint) => (await records.get(PETS_ADMIN, id)).values;

  it('is offered in the notice of a change and on the page of its audit event', async () => {
    const id = await add('undone', 'available');
    const path = `${LIST}/${id}`;
    const { html } = await client.get(path);
    await client.post(`${path}/edit`, { ...hiddenFields(html, `${path}/edit`), status: 'sold' });
    const changed = await client.get(path);
    expect(noticeIn(changed)).toEqual({
      tone: 'success',
      text: expect.stringMatching(new RegExp(`\\b${id}\\b.*\\bSold\\b`)),
      actions: ['Undo'],
    });
    const undo = undoIn(changed);
    const undone = await client.post(undo, hiddenFields(changed.html, undo));
    expect(undone.location).toBe(path);
    expect(await valuesOf(id)).toMatchObject({ status: 'available' });
    const page = await client.get(path);
    expect(noticeIn(page)).toMatchObject({ tone: 'success', actions: ['View', 'Redo'] });
    const again = await client.post(undo, hiddenFields(changed.html, undo));
    expect(again.location).toBe(path);
    expect(noticeIn(await client.get(path))).toEqual({
      tone: 'warning',
      text: expect.stringMatching(new RegExp(`\\b${id}\\b.*\\bkey_`)),
      actions: ['View'],
    });
    const titles = historyIn(page).map(([title]) => title);
    expect(titles).toEqual(['Undone', 'Changed', 'Added']);
    const change = /changes\/(\d+)\/undo/.exec(undo)?.[1];
    for (const query of ['', `?subject=pets/${id}`, '?action=pets.update']) {
      expect((await client.get(`/admin/audit${query}`)).html).toContain(`>undo of change ${change}<`);
    }
    const redo = undoIn(page);
    await client.post(redo, hiddenFields(page.html, redo));
    expect(await valuesOf(id)).toMatchObject({ status: 'sold' });
    const view = viewIn(page);
    expect(view).toBe(`/admin/audit/${/\d+/.exec(redo)?.[0]}`);
    expect(undoIn(await client.get(view))).toBe(redo);
    const reader = await openConsole(service, await service.keyWith('admin:read'));
    const event = await reader.get(view);
    expect(undoIn(event)).toBe('none');
    expect((await reader.post(undo, hiddenFields(event.html, '/admin/sign-out'))).status).toBe(403);
  });

  it('and one is led back to the list from the page of a record that is gone', async () => {
    const id = await add('gone');
    const path = `${LIST}/${id}`;
    const { html } = await client.get(`${LIST}?name=gone`);
    const [event] = await service.app.get(AuditLog).list({ subjectId: String(id) }, { limit: 1 });
    const undo = `${LIST}/changes/${event?.id}/undo`;
    const csrf = hiddenFields(html, '/admin/sign-out');
    const existing = jest.spyOn(records, 'existing').mockResolvedValueOnce(new Set());
    const back = await client.post(undo, { ...csrf, return: path });
    existing.mockRestore();
    expect(back.location).toBe(`${LIST}?name=gone`);
    expect(noticeIn(await client.get(`${LIST}?name=gone`))).toMatchObject({
      tone: 'success',
      actions: ['View', 'Redo'],
    });
    expect(codesIn(await client.get(path))).toContain('removed');
    const elsewhere = await client.post(undo, { ...csrf, return: 'https://example.com/' });
    expect(elsewhere.location).toBe('/admin');
  });

  it('takes back a bulk change, except for records that were changed since, which it names', async () => {
    const ids = [await add('whole 1', 'available'), await add('whole 2'), await add('whole 3', 'pending')];
    const chosen = `${LIST}/bulk?name=whole&set-status=sold`;
    const { html } = await client.get(chosen);
    const { location } = await client.post(chosen, hiddenFields(html, chosen.replace('&', '&amp;')));
    const listed = await client.get(location ?? '');
    expect(noticeIn(listed)).toMatchObject({
      text: expect.stringMatching(/\b3 pets\b.*\bSold\b/),
      actions: ['Undo'],
    });
    const since = ids[1] as bigint;
    await service.app.get(PetsService, { strict: false }).update(since, { name: 'whole 2b' });
    const undo = undoIn(listed);
    const undone = await client.post(undo, hiddenFields(listed.html, undo));
    expect(undone.location).toBe(location);
    expect(noticeIn(await client.get(location ?? ''))).toMatchObject({
      tone: 'warning',
      text: expect.stringMatching(new RegExp(`\\b2 pets\\b.*\\b1 pet\\b.*\\b${since}\\b`)),
    });
    const statuses = await Promise.all(ids.map(async (id) => (await valuesOf(id)).status));
    expect(statuses).toEqual(['available', 'sold', 'pending']);
    const number = /changes\/(\d+)\/undo/.exec(undo)?.[1];
    const titles = (page: ConsoleResponse) => historyIn(page).map(([title]) => title);
    const record = await client.get(`${LIST}/${ids[0]}`);
    expect(titles(record)).toEqual(['Undone', 'Changed', 'Added']);
    expect(textIn(record)).toContain(`undo of change ${number}`);
    expect(titles(await client.get(`${LIST}/${since}`))).toEqual(['Changed', 'Added']);
    expect((await client.get('/admin/audit')).html).toContain(`>undo of change ${number}<`);
  });

  it('lists a bulk change as one audit event that opens into those of its records', async () => {
    const ids: bigint[] = [];
    for (let i = 0; i < 60; i++) ids.push(await add(`folded ${i}`, 'available'));
    const before = await bulk.updateAll(
      PETS_ADMIN,
      { where: { name: { contains: 'folded' } } },
      { status: 'sold' },
      60,
    );
    await add('after it');
    const path = `/admin/audit/${before.change}`;
    const actions = ({ html }: ConsoleResponse) =>
      [...html.matchAll(/href="\/admin\/audit\?(?:[^"]*&amp;)?action=([\w.]+)">/g)].map(
        ([, action]) => action,
      );
    const list = await client.get('/admin/audit');
    expect(actions(list).slice(0, 3)).toEqual(['pets.create', 'pets.update_all', 'pets.create']);
    expect(textIn(list)).toContain('pets.update_all 60 pets Status Sold');
    expect(list.html).toContain(`href="${path}">60 pets</a>`);
    // The next page goes on below the records of the change that the first ended with.
    const second = await client.get(`/admin/audit?before=${before.change}`);
    expect(actions(second).slice(0, 2)).toEqual(['pets.create', 'pets.create']);
    const opened = await client.get(path);
    expect(actions(opened)).toEqual(Array.from({ length: 50 }, () => 'pets.update'));
    expect(textIn(opened)).toMatch(new RegExp(`pets/${ids.at(-1)} Status Available [^A-Z]*→ Sold`));
    const [, next = ''] = /href="([^"]*)" rel="next"/.exec(opened.html) ?? [];
    expect(actions(await client.get(next))).toHaveLength(10);
    // Those who look for a record, or for an action, find each.
    expect(actions(await client.get(`/admin/audit?subject=pets/${ids[0]}`))).toEqual([
      'pets.update',
      'pets.create',
    ]);
    expect(actions(await client.get('/admin/audit?action=pets.update'))).toHaveLength(50);
  });
});
