import { PETS_ADMIN } from '../../../../src/pets/pets.admin';
import type { Said, Visit } from './visit';

const LIST = '/admin/records/pets';

const list = (query: string) => (visit: Visit) => visit.client.get(`${LIST}${query}`);
const record = (path: string) => async (visit: Visit) =>
  visit.client.get(`${LIST}/${await visit.pet()}${path}`);

/** Sends the form of a record after somebody else has changed it. */
const late =
  (path: string, change: (visit: Visit, id: bigint) => Promise<unknown>) => async (visit: Visit) => {
    const id = await visit.pet();
    const page = await visit.client.get(`${LIST}/${id}${path}`);
    await change(visit, id);
    return visit.sendFrom(page, `${LIST}/${id}${path}`, {
      name: 'Mine',
      categoryId: '3',
      status: 'available',
    });
  };

/** Chooses "Sold" for two pets of a name, of which one is sold already. */
const sell = async (visit: Visit, name: string) => {
  await visit.pet(name);
  await visit.pet(name, 'sold');
  return visit.client.get(`${LIST}/bulk?name=${name}&set-status=sold`);
};

/** What the pages about records say. */
export const RECORDS: readonly Said[] = [
  [
    'a record that was added',
    (visit) => visit.send(`${LIST}/new`, `${LIST}/new`, { name: 'Added', categoryId: '1' }),
    ['The pet … was added.', 'Added by test key_'],
  ],
  [
    'a record that was changed',
    async (visit) => {
      const id = await visit.pet();
      return visit.send(`${LIST}/${id}/edit`, undefined, {
        name: 'Max',
        categoryId: '3',
        status: 'available',
      });
    },
    ['The pet … was changed.', 'Changed by test key_… Name: Rex → became Max from 127.0.0.1, request'],
  ],
  [
    'a record that was sent as it is',
    async (visit) => {
      const id = await visit.pet();
      return visit.send(`${LIST}/${id}/edit`, undefined, {
        name: 'Rex',
        categoryId: '3',
        status: 'available',
      });
    },
    ['Nothing was changed.'],
  ],
  [
    'a record whose status was chosen',
    async (visit) => {
      const id = await visit.pet();
      return visit.send(`${LIST}/${id}`, `${LIST}/${id}/edit`, { status: 'sold' });
    },
    ['The pet … was marked as Sold.'],
  ],
  [
    'a change that comes after that of an operator',
    late('/edit', ({ records }, id) => records.update(PETS_ADMIN, id, { name: 'Theirs', status: 'sold' })),
    [
      'The pet … was changed meanwhile by service.',
      'Nothing was saved. The form below has the present values and your changes. Check the form, then save or cancel.',
      'Name Rex Theirs Mine',
      'unchanged',
    ],
  ],
  [
    'a change that comes after that of an API client',
    late('/edit', ({ pets }, id) => pets.update(id, { name: 'Theirs' })),
    ['The pet … was changed meanwhile by an API client.'],
  ],
  [
    'the question before a removal',
    record('/remove'),
    ['API clients no longer find this pet. You can restore the pet from its page.'],
  ],
  [
    'a record that was removed',
    async (visit) => visit.send(`${LIST}/${await visit.pet()}/remove`),
    ['The pet … was removed.', 'This pet has been removed. API clients do not see it.'],
  ],
  [
    'a record that was restored',
    async (visit) => {
      const id = await visit.pet();
      await visit.send(`${LIST}/${id}/remove`);
      return visit.send(`${LIST}/${id}`, `${LIST}/${id}/restore`);
    },
    ['The pet … is back.'],
  ],
  [
    'a record that is restored twice',
    async (visit) => {
      const id = await visit.pet();
      const removed = await visit.send(`${LIST}/${id}/remove`);
      await visit.sendFrom(removed, `${LIST}/${id}/restore`);
      return visit.sendFrom(removed, `${LIST}/${id}/restore`);
    },
    ['The pet … is not removed.'],
  ],
  [
    'a record that operators have made',
    record(''),
    [
      'Changes by operators and API clients, newest first. Values from clients are not kept.',
      'Changes by API clients are only known since',
    ],
  ],
  [
    'a change that was undone',
    async (visit) => {
      const id = await visit.pet();
      return visit.undo(await visit.send(`${LIST}/${id}`, `${LIST}/${id}/edit`, { status: 'sold' }));
    },
    ['Undone. View Redo'],
  ],
  [
    'the question before a change of many records',
    (visit) => sell(visit, 'asked'),
    [
      'Change 2 pets? Filtered by Name contains: asked.',
      'Status becomes Sold',
      'They are changed 100 at a time, so that clients are served meanwhile. A refused record is left alone and named. What has been changed stays, even if the change ends early, and is undone as one. Each history keeps the old value.',
    ],
  ],
  [
    'a change of many records',
    async (visit) => visit.sendFrom(await sell(visit, 'sold'), `${LIST}/bulk?name=sold&set-status=sold`),
    ['1 pet was marked as Sold. 1 pet already had these values.'],
  ],
  [
    'a change of more records than were shown',
    async (visit) => {
      const page = await sell(visit, 'more');
      await visit.pet('more');
      return visit.sendFrom(page, `${LIST}/bulk?name=more&set-status=sold`);
    },
    ['3 pets match now, not 2.'],
  ],
  ['a change of no record', list('/bulk?chosen-id='), ['No pets are chosen: tick some in the list first.']],
  [
    'a change of a record that is none',
    list('/bulk?chosen-id=x'),
    ['The address of this page contains an invalid id.'],
  ],
  [
    'a change of many records that was undone in part',
    async (visit) => {
      const ids = [await visit.pet('part'), await visit.pet('part')];
      const path = `${LIST}/bulk?name=part&set-status=sold`;
      const done = await visit.send(path);
      await visit.pets.update(ids[0] as bigint, { name: 'part of it' });
      return visit.undo(done);
    },
    ['Undone for 1 pet. 1 pet changed or removed since was left alone: ….'],
  ],
  [
    'the question before chosen records are removed',
    async (visit) =>
      visit.client.get(
        `${LIST}/actions/remove?chosen-id=${await visit.pet()}&chosen-id=${await visit.pet()}`,
      ),
    ['Remove 2 pets? ', 'You can restore each from its page.', 'You can undo this action.'],
  ],
  [
    'chosen records that were removed',
    async (visit) =>
      visit.send(`${LIST}/actions/remove?chosen-id=${await visit.pet()}&chosen-id=${await visit.pet()}`),
    ['2 pets were removed.'],
  ],
  [
    'the question before an action of a module',
    async (visit) => visit.client.get(`/admin/records/guests/actions/praise?chosen-id=${await visit.pet()}`),
    ['Praise Rex? ', 'This action cannot be undone.'],
  ],
  [
    'an action of a module',
    async (visit) => visit.send(`/admin/records/guests/actions/adopt?chosen-id=${await visit.pet()}`),
    ['The guest … was adopted.'],
  ],
  [
    'an action of a module that one of the chosen records refuses',
    async (visit) => {
      const [free, sold] = [await visit.pet(), await visit.pet('Rex', 'sold')];
      return visit.send(`/admin/records/guests/actions/adopt?chosen-id=${free}&chosen-id=${sold}`);
    },
    ['The guest …: It has a home already. Nothing was changed.'],
  ],
];
