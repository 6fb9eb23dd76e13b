import { RecordsService } from '../../../src/admin/records/records.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { PetsService } from '../../../src/pets/pets.service';
import { StillReferencedError } from '../../../src/platform/errors/http-errors';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import {
  type ConsoleClient,
  type ConsoleResponse,
  hiddenFields,
  openConsole,
  textIn,
} from '../../support/service/console';
import { buttonsIn, codesIn, faultsIn, noticeIn } from './support/said';

const LIST = '/admin/records/pets';
const REMOVE = `${LIST}/actions/remove`;

describeOneEngine('Removing the chosen rows of a list in the console', (engine) => {
  let service: TestService;
  let records: RecordsService;
  let pets: PetsService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    records = service.app.get(RecordsService, { strict: false });
    pets = service.app.get(PetsService, { strict: false });
    client = await openConsole(service, await service.keyWith('admin:read', 'admin:pets'));
  });
  afterAll(() => service.stop());

  const add = async (name: string) => (await records.create(PETS_ADMIN, { name, categoryId: 3n })).id;
  const removed = async (ids: readonly bigint[]) =>
    Promise.all(ids.map(async (id) => (await records.get(PETS_ADMIN, id)).removedAt !== undefined));
  const confirm = (path: string, { html }: ConsoleResponse) => client.post(path, hiddenFields(html, path));

  it('asks first, removes all of them, and takes them back by "Undo"', async () => {
    const ids = [await add('first'), await add('second'), await add('third')];
    const list = await client.get(LIST);
    expect(list.html).toMatch(new RegExp(`>Change<[^]*formaction="${REMOVE}"[^>]*>.*Remove<`));
    const path = `${REMOVE}?chosen-id=${ids[0]}&chosen-id=${ids[1]}`;
    const question = await client.get(path);
    expect(buttonsIn(question)).toContain('Remove 2 pets');
    expect(codesIn(question)).toEqual(['undoable']);
    expect(await removed(ids)).toEqual([false, false, false]);
    const done = await client.post(path, hiddenFields(question.html, path.replaceAll('&', '&amp;')));
    const after = await client.get(done.location ?? '');
    expect(noticeIn(after)).toEqual({
      tone: 'success',
      text: expect.stringContaining('2 pets'),
      actions: ['Undo'],
    });
    expect(await removed(ids)).toEqual([true, true, false]);
    const audit = textIn(await client.get('/admin/audit'));
    expect(audit).toMatch(/pets\.remove_all 2 pets/);
    const [, undo = ''] = /action="([^"]+\/undo)"/.exec(after.html) ?? [];
    const undone = await confirm(undo, after);
    expect(noticeIn(await client.get(undone.location ?? ''))).toEqual({
      tone: 'success',
      text: expect.stringContaining('2 pets'),
      actions: ['View', 'Redo'],
    });
    expect(await removed(ids)).toEqual([false, false, false]);
  });

  it('leads back to the list after a single one', async () => {
    const path = `${REMOVE}?chosen-id=${await add('single')}`;
    const done = await confirm(path, await client.get(path));
    expect(done.location).toMatch(new RegExp(`^${LIST}(\\?|$)`));
  });

  it('removes none if one was changed since it was shown, or cannot be removed, and names it', async () => {
    const ids = [await add('stays'), await add('changes')] as [bigint, bigint];
    const named = (id: bigint) => expect.stringMatching(new RegExp(`\\bpet ${id}\\b`));
    const path = `${REMOVE}?chosen-id=${ids.join('%2C')}`;
    const shown = await client.get(path);
    await pets.update(ids[1], { name: 'changed' });
    const stale = await confirm(path, shown);
    expect([stale.status, faultsIn(stale)]).toEqual([409, { '': named(ids[1]) }]);
    const remove = pets.delete.bind(pets);
    jest.spyOn(pets, 'delete').mockImplementation(async (id, ifMatch) => {
      await remove(id, ifMatch);
      if (id === ids[1]) throw new StillReferencedError();
    });
    const referenced = await confirm(path, await client.get(path));
    jest.restoreAllMocks();
    expect([referenced.status, faultsIn(referenced)]).toEqual([409, { '': named(ids[1]) }]);
    expect(faultsIn(referenced)['']).toContain(new StillReferencedError().message);
    expect(await removed(ids)).toEqual([false, false]);
  });

  it('is neither offered nor done without the scope for it', async () => {
    const id = await add('safe');
    const reader = await openConsole(service, await service.keyWith('admin:read'));
    const list = await reader.get(LIST);
    expect(list.html).not.toContain(REMOVE);
    const path = `${REMOVE}?chosen-id=${id}`;
    expect((await reader.get(path)).status).toBe(403);
    expect((await reader.post(path, hiddenFields(list.html, '/admin/sign-out'))).status).toBe(403);
    expect(await removed([id])).toEqual([false]);
    expect((await client.get(`${LIST}?removed=only`)).html).not.toContain(REMOVE);
  });
});
