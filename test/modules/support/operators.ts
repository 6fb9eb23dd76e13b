import { ConsoleClient } from '../../support/service/console';
import type { CommandLine } from './command-line';

interface Shown {
  readonly id: number;
  readonly version: string;
}

interface Items<Item> {
  readonly items: Item[];
}

/** An operator works with the records of the generated modules on the command line. */
export async function workOnTheCommandLine(petstore: CommandLine): Promise<void> {
  const pet = await petstore.json<Shown>('pets create --name Rex --category-id 1');
  await petstore.json('categories create --name Cats');
  const created = await petstore.json<Shown>(
    `orders create --pet-id ${pet.id} --quantity 2 --ship-date 2026-12-24T18:00:00+01:00`,
  );
  expect(created).toMatchObject({ petId: pet.id, quantity: 2, shipDate: '2026-12-24T17:00:00.000Z' });
  const { id, version } = created;
  const update = `orders update ${id} --status placed --if-version ${version}`;
  expect(await petstore.json(update)).toMatchObject({ id, status: 'placed' });
  const listed = await petstore.json<Items<Shown>>('orders list --status placed --sort createdAt --desc');
  expect(listed.items.map((order) => order.id)).toEqual([id]);

  const change = await petstore.json<Shown>(
    `status-changes create --description late --items -1 --field-after 9007199254740993 --ratio 1e-3 --required false --field-format 2026-12-24 --at 2026-12-24T17:00:00Z --token 9F1C7A52-2f6c-4b5a-9a53-0f6f6a0c4f8e --type done --order-id ${id} --tags one 'two words' --steps '[{"petId":${pet.id},"minutes":5}]'`,
  );
  expect(change).toMatchObject({
    items: -1,
    ratio: 0.001,
    required: false,
    format: '2026-12-24',
    type: 'done',
    tags: ['one', 'two words'],
    steps: [{ petId: pet.id, minutes: 5 }],
  });
  const found = `status-changes list --field-after 9007199254740993 --ratio 0.001 --required false --field-format 2026-12-24 --token 9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e --order-id ${id} --description LAT`;
  expect((await petstore.json<Items<Shown>>(found)).items).toEqual([change]);

  for (const [words, code, message] of [
    [`orders create --pet-id one --quantity 1.5`, 2, /^--pet-id: .*\n--quantity: /m],
    [`orders create --pet-id 999999 --quantity 1`, 4, /petId refers to a record that does not exist\./],
    [`orders remove ${id} --yes`, 4, /Other records refer to this record/],
    [`categories create --name Cats`, 4, /name must be unique: another record already has this value\./],
    [`categories create --name ${'x'.repeat(51)}`, 2, /--name: .* of at most 50 characters/],
  ] as const) {
    const refused = await petstore.run(words);
    expect([words, refused.code, refused.stderr]).toEqual([words, code, expect.stringMatching(message)]);
  }

  await petstore.json(`status-changes remove ${change.id} --yes`);
  await petstore.json(`orders remove ${id} --yes`);
  const { items: events } = await petstore.json<{ items: { action: string; actor: string }[] }>(
    'audit list --limit 5',
  );
  expect(events.map(({ action }) => action)).toEqual([
    'orders.remove',
    'status-changes.remove',
    'status-changes.create',
    'orders.update',
    'orders.create',
  ]);
  for (const { actor } of events) expect(actor).toMatch(/^cli:/);
}

const ORDERS = '/admin/records/orders';

/**
 * An operator works with orders in the console.
 *
 * @param port the management port of the service
 * @param keys one whose scopes are `admin:read` and `admin:orders`, and one that has only the first
 */
export async function workInTheConsole(
  port: number,
  keys: { readonly changing: string; readonly reading: string },
  petId: number,
): Promise<void> {
  const client = new ConsoleClient(port);
  await client.signIn(keys.changing);
  const add = (fields: Record<string, string>) => client.submit(`${ORDERS}/new`, `${ORDERS}/new`, fields);

  const refused = await add({ petId: 'one', quantity: '', note: 'a <gift>' });
  expect(refused.status).toBe(422);
  for (const text of ['Pet id must be ', 'Quantity is required.', 'value="one"', 'a &lt;gift&gt;']) {
    expect(refused.html).toContain(text);
  }
  const order = { petId: String(petId), quantity: '2', status: 'placed', note: 'a <gift>' };
  const missing = await add({ ...order, petId: '999999' });
  expect(missing.status).toBe(409);
  expect(missing.html).toContain('Pet id refers to a record that does not exist.');

  const { status, location: path = '' } = await add(order);
  expect([status, path]).toEqual([303, expect.stringMatching(/^\/admin\/records\/orders\/\d+$/)]);
  const { html } = await client.get(path);
  // By its name, on the order's page and in the list; the pet's page has the order, and the form the pet to choose.
  const called = new RegExp(`href="/admin/records/pets/${petId}"><bdi>[^<]+</bdi> \\(${petId}\\)</a>`);
  expect(html).toMatch(called);
  expect((await client.get(ORDERS)).html).toMatch(called);
  const pet = (await client.get(`/admin/records/pets/${petId}`)).html;
  expect(pet).toContain(`href="${path}"`);
  expect(pet).toContain(`href="${ORDERS}?petId=${petId}">All orders of this pet</a>`);
  expect((await client.get(`${ORDERS}/new`)).html).toMatch(
    new RegExp(`<datalist id="field-petId-list">.*<option value="${petId}" label="[^"]+">`),
  );
  expect((await client.submit(`${path}/edit`, `${path}/edit`, { status: 'approved' })).location).toBe(path);
  expect((await client.get(`${ORDERS}?status=approved&sort-by=-createdAt`)).html).toContain(`href="${path}"`);
  expect((await client.get(`${ORDERS}?status=placed`)).html).not.toContain(`href="${path}"`);

  const viewer = new ConsoleClient(port);
  await viewer.signIn(keys.reading);
  expect((await viewer.get(path)).html).not.toContain(`${path}/edit`);
  expect((await viewer.get(`${path}/edit`)).status).toBe(403);
  expect((await client.submit(`${path}/remove`, `${path}/remove`)).location).toBe(`${ORDERS}?status=placed`);
  expect((await client.get(path)).status).toBe(404);
}
