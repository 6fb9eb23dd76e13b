import { Writable } from 'node:stream';
import { recordCommands } from '../../../src/admin/records/commands/records.command';
import { RecordHistory } from '../../../src/admin/records/history/record-history.service';
import { RecordsService } from '../../../src/admin/records/records.service';
import { refuseReservedNames } from '../../../src/admin/records/reserved-names';
import { PetStatus } from '../../../src/pets/pet-status';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { PetsService } from '../../../src/pets/pets.service';
import type { AdminRecords } from '../../../src/platform/features/admin-records';
import type { Cli } from '../../../src/platform/cli/cli';
import { Output } from '../../../src/platform/cli/output';
import { runProgram } from '../../../src/platform/cli/program';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { withFeatures } from '../../support/service/with-features';
import {
  type ConsoleClient,
  type ConsoleResponse,
  hiddenFields,
  openConsole,
  textIn,
} from '../../support/service/console';
import { buttonsIn, codesIn, faultsIn, historyIn, noticeIn } from './support/said';
import { HasHomeError, ShelterModule } from '../../support/shelter/shelter.module';

const LIST = '/admin/records/guests';
const ADOPT = `${LIST}/actions/adopt`;

describeOneEngine('The additions of a module for operators', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let guests: AdminRecords;
  let pets: PetsService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await withFeatures({ ShelterModule }, () => startTestService(engine));
    records = service.app.get(RecordsService, { strict: false });
    pets = service.app.get(PetsService, { strict: false });
    guests = records.recordTypeNamed('guests') as AdminRecords;
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:guests'));
  });
  afterAll(() => service.stop());

  const add = async (status = 'available') =>
    (await records.create(PETS_ADMIN, { name: 'Rex', categoryId: 3n, status })).id;
  const statuses = (...ids: bigint[]) =>
    Promise.all(ids.map(async (id) => (await records.get(guests, id)).values.status));
  const lastEvent = async (id: bigint) =>
    (await service.app.get(RecordHistory, { strict: false }).list(guests, id, 1)).entries[0]?.event;

  /** Confirms an action on its page, and follows to the page after it. */
  async function confirm(path: string): Promise<ConsoleResponse> {
    const { html } = await client.get(path);
    const response = await client.post(path, hiddenFields(html, path.replaceAll('&', '&amp;')));
    return response.location === undefined ? response : client.get(response.location);
  }

  async function undo(page: ConsoleResponse): Promise<ConsoleResponse> {
    const path = /action="([^"]+\/undo)"/.exec(page.html)?.[1] ?? 'none';
    const { location } = await client.post(path, hiddenFields(page.html, path));
    return client.get(location ?? '');
  }

  it('include an action on a record, which is confirmed, recorded, and can be undone from the notice', async () => {
    const id = await add();
    const page = await client.get(`${LIST}/${id}`);
    expect(page.html).toContain(`<a class="button" href="${ADOPT}?chosen-id=${id}">Adopt</a>`);
    const asked = await client.get(`${ADOPT}?chosen-id=${id}`);
    expect(textIn(asked)).toContain('It goes to its new home.');
    expect([buttonsIn(asked), codesIn(asked)]).toEqual([
      expect.arrayContaining(['Adopt guest']),
      ['undoable'],
    ]);
    expect(await statuses(id)).toEqual(['available']);
    const done = await confirm(`${ADOPT}?chosen-id=${id}`);
    expect(noticeIn(done)).toEqual({
      tone: 'success',
      text: expect.stringMatching(new RegExp(`\\b${id}\\b.*\\badopted\\b`)),
      actions: ['Undo'],
    });
    expect(historyIn(done)[0]).toEqual([
      'Adopted',
      expect.stringMatching(/^key_/),
      [['Status', 'Available', 'Sold']],
    ]);
    expect(done.html).not.toContain(ADOPT);
    expect(await lastEvent(id)).toMatchObject({ action: 'guests.adopt', address: '127.0.0.1' });
    expect(noticeIn(await undo(done))).toMatchObject({ tone: 'success', actions: ['View', 'Redo'] });
    expect(await statuses(id)).toEqual(['available']);
  });

  it('refuse an action with the error of the module, and when the record has changed since', async () => {
    const id = await add();
    const path = `${ADOPT}?chosen-id=${id}`;
    const { html } = await client.get(path);
    await pets.update(id, { name: 'Max' });
    const changed = await client.post(path, hiddenFields(html, path));
    expect([changed.status, faultsIn(changed)]).toEqual([
      409,
      { '': expect.stringContaining(`guest ${id} `) },
    ]);
    await pets.update(id, { status: PetStatus.Sold });
    const refused = await confirm(path);
    expect([refused.status, faultsIn(refused)]).toEqual([409, { '': new HasHomeError().message }]);
    expect(await lastEvent(id)).toBeUndefined();
  });

  it('include an action on chosen rows, all or none, which is undone as one', async () => {
    const [first, second, homed] = [await add(), await add('pending'), await add('sold')];
    const { html } = await client.get(LIST);
    expect(html).toContain(`formaction="${ADOPT}"`);
    const refused = await confirm(`${ADOPT}?chosen-id=${first}&chosen-id=${second}&chosen-id=${homed}`);
    expect(faultsIn(refused)['']).toContain(`guest ${homed}: ${new HasHomeError().message}`);
    expect(await statuses(first, second)).toEqual(['available', 'pending']);
    const done = await confirm(`${ADOPT}?chosen-id=${first}&chosen-id=${second}`);
    expect(noticeIn(done)).toMatchObject({ text: expect.stringContaining('2 guests'), actions: ['Undo'] });
    expect(await statuses(first, second)).toEqual(['sold', 'sold']);
    expect(noticeIn(await undo(done))).toMatchObject({
      text: expect.stringContaining('2 guests'),
      actions: ['View', 'Redo'],
    });
    expect(await statuses(first, second)).toEqual(['available', 'pending']);
    expect((await client.get(ADOPT)).status).toBe(404);
    expect((await client.get(`${ADOPT}?chosen-id=${first},0`)).status).toBe(404);
  });

  it('require exactly the scope of the action, which keys can be given', async () => {
    const id = await add();
    const path = `${LIST}/actions/praise?chosen-id=${id}`;
    expect((await client.get(path)).status).toBe(403);
    expect((await client.get(`${LIST}/${id}`)).html).not.toContain('actions/praise');
    const praising = await openConsole(service, await service.keyWith('admin:read', 'admin:praise'));
    expect((await praising.get(`${ADOPT}?chosen-id=${id}`)).status).toBe(403);
    expect((await praising.get(`${LIST}/${id}`)).html).toContain(`href="${path}"`);
    expect(codesIn(await praising.get(path))).toEqual(['for_good']);
    const { location } = await praising.submit(path, path);
    const done = await praising.get(location ?? '');
    expect(noticeIn(done)).toMatchObject({ text: expect.stringContaining(`guest ${id} `), actions: [] });
    // Nothing of the record is changed by it.
    expect(await lastEvent(id)).toMatchObject({ action: 'guests.praise' });
    const managing = await openConsole(service, service.key);
    expect((await managing.get('/admin/keys/new')).html).toMatch(/name="scopes"\s+value="admin:praise"/);
  });

  it('include panels on records and on the overview, which fail alone', async () => {
    const id = await add();
    const page = textIn(await client.get(`${LIST}/${id}`));
    expect(page).toMatch(/Care Walks 12,345 since <May> Last walk .*\d.* Vet –/);
    const overview = await client.get('/admin/overview');
    expect(textIn(overview)).toContain('Homes found Town Homes Near Bern & Thun 7 Yes Basel 1,234 No');
    expect(overview.html).toMatch(/<h2>Lost<\/h2>\s*<div [^>]*data-code="unreadable"/);
    expect(codesIn(overview)).toEqual(['unreadable']);
    expect(service.log()).toContain('The panel has no content.');
  });

  it('leave out the actions that its service does not have', async () => {
    const id = await add();
    const { html } = await client.get(`${LIST}/${id}`);
    const csrf = hiddenFields(html, '/admin/sign-out');
    for (const path of [`${LIST}/new`, `${LIST}/import`, `${LIST}/actions/remove?chosen-id=${id}`]) {
      expect(html).not.toContain(`"${path}"`);
      expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    }
    expect((await client.post(`${LIST}/${id}/restore`, csrf)).status).toBe(404);
  });

  it('include an icon in the navigation', async () => {
    const { html } = await client.get('/admin/overview');
    expect(html).toMatch(/href="\/admin\/records\/guests"><svg[^>]*><path d="M12 20S4/);
  });

  it('include a command, which asks, and requires --yes where nobody can be asked', async () => {
    const ids = [await add(), await add()];
    const [first, second] = ids;
    let answer: boolean | undefined;
    const run = async (...words: string[]) => {
      const written = ['', ''];
      const [stdout, stderr] = [0, 1].map(
        (i) =>
          new Writable({
            write: (chunk: Buffer, _encoding, done) => {
              written[i] += chunk.toString();
              done();
            },
          }) as unknown as NodeJS.WriteStream,
      ) as [NodeJS.WriteStream, NodeJS.WriteStream];
      const output = new Output(stdout, stderr);
      if (answer !== undefined) {
        jest.spyOn(output, 'canAsk', 'get').mockReturnValue(true);
        jest.spyOn(output, 'confirm').mockResolvedValue(answer);
      }
      const cli = {
        output,
        withApp: (work: Parameters<Cli['withApp']>[0]) => work(service.app),
      } as unknown as Cli;
      const code = await runProgram([recordCommands({ ShelterModule })], cli, ['guests', ...words]);
      return { code, out: written[0] ?? '', said: written[1] ?? '' };
    };
    expect(await run('adopt', `${first}`)).toMatchObject({
      code: 2,
      said: expect.stringContaining('--yes'),
    });
    answer = false;
    expect(await run('adopt', `${first}`)).toMatchObject({ code: 4 });
    expect(await statuses(...ids)).toEqual(['available', 'available']);
    answer = undefined;
    const { code, out, said } = await run('adopt', `${first}`, `${second}`, '--yes', '--json');
    const { changed, change } = JSON.parse(out) as { changed: number; change: number };
    expect([code, changed]).toEqual([0, 2]);
    expect(said).toMatch(new RegExp(`^2 guests .*\\badopted\\b[^]*petstore guests undo ${change}\\n$`));
    expect(await statuses(...ids)).toEqual(['sold', 'sold']);
    expect(await run('adopt', `${first}`, '--yes')).toMatchObject({
      code: 4,
      said: `${new HasHomeError().message}\n`,
    });
    expect(await run('undo', `${change}`)).toMatchObject({
      code: 0,
      said: expect.stringContaining('2 guests'),
    });
    expect(await statuses(...ids)).toEqual(['available', 'available']);
    expect(await run('praise', '--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('guests praise'),
    });
    expect((await run('adopt', '999999999', '--yes')).code).toBe(3);
  });
});

describe('An action of a module', () => {
  it('cannot have the name of an action that all records have', () => {
    const recordType = { ...PETS_ADMIN, actions: { updateAll: { title: 'Update', done: 'updated' } } };
    expect(() => refuseReservedNames([recordType])).toThrow('"updateAll"');
    const other = { ...PETS_ADMIN, actions: { 'a b': { title: 'A', done: 'b' } } };
    expect(() => refuseReservedNames([other])).toThrow('"a b"');
  });
});
