import { DataSource } from 'typeorm';
import { AdminSession } from '../../../src/admin/console/sessions/admin-session.entity';
import { IDLE_MS } from '../../../src/admin/console/sessions/sessions.service';
import { RecordsService } from '../../../src/admin/records/records.service';
import { ApiKeysService } from '../../../src/auth/api-keys.service';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { createToken } from '../../../src/platform/security/api-key-token';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import {
  type ConsoleResponse,
  type ConsoleClient,
  hiddenFields,
  openConsole,
  typedIn,
} from '../../support/service/console';
import { codesIn, noticeIn } from './support/said';

const LIST = '/admin/records/pets';
const NEW = `${LIST}/new`;
const HOSTILE = '"><script>alert(1)</script>\r\n\ttwo & lines %2B+';

describeOneEngine('A form that is sent after its session has ended', (engine) => {
  let service: TestService;
  let keys: ApiKeysService;
  let records: RecordsService;

  beforeAll(async () => {
    service = await startTestService(engine);
    keys = service.app.get(ApiKeysService);
    records = service.app.get(RecordsService);
  });
  afterAll(() => service.stop());

  const sessions = () => service.app.get(DataSource).getRepository(AdminSession);

  async function operator() {
    const { key, token } = await keys.create({
      name: 'operator',
      scopes: ['admin:read', 'admin:pets', 'admin:keys'],
    });
    return { id: key.id, token, client: await openConsole(service, token) };
  }

  const timeOut = (actor: string) =>
    sessions().update({ actor }, { lastSeenAt: new Date(Date.now() - IDLE_MS - 1_000) });

  const count = () => records.count(PETS_ADMIN, {}, 1_000);

  async function addPet(name: string): Promise<number> {
    const created = await service.post('/v1/pets', { name, categoryId: 1, status: 'available' });
    return ((await created.json()) as { id: number }).id;
  }

  /** Signs in on the page that came in the place of a response, and follows where that leads. */
  async function signInOn(
    client: ConsoleClient,
    page: ConsoleResponse,
    key: string,
  ): Promise<ConsoleResponse> {
    const signedIn = await client.post('/admin/sign-in', {
      ...hiddenFields(page.html, '/admin/sign-in'),
      key,
    });
    expect(signedIn.status).toBe(303);
    return client.get(signedIn.location as string);
  }

  it('is shown again after the sign-in as it was, and is not carried out by itself', async () => {
    const { client, id, token } = await operator();
    const hidden = hiddenFields((await client.get(NEW)).html, NEW);
    const before = await count();
    await timeOut(id);
    const asked = await client.post(NEW, { ...hidden, name: HOSTILE, categoryId: '1.5x', status: 'sold' });
    expect(asked.status).toBe(401);
    expect(codesIn(asked)).toEqual(['not_signed_in']);
    expect(asked.html).not.toContain('<script>alert');
    const again = await signInOn(client, asked, token);
    expect(again.status).toBe(200);
    expect(noticeIn(again)).toMatchObject({ tone: 'warning', actions: [] });
    expect(typedIn(again, 'name')).toBe(HOSTILE.replaceAll('\r\n', '\n'));
    expect([typedIn(again, 'categoryId'), typedIn(again, 'status')]).toEqual(['1.5x', 'sold']);
    expect(await count()).toBe(before);
    const corrected = { ...hiddenFields(again.html, NEW), name: HOSTILE, categoryId: '7', status: 'sold' };
    expect((await client.post(NEW, corrected)).status).toBe(303);
    expect(await count()).toBe(before + 1);
    // It was shown once: the next form is empty.
    expect(typedIn(await client.get(NEW), 'name')).toBe('');
  });

  it.each(['revoked', 'disabled'])('is shown to the next key after the first one was %s', async (how) => {
    const { client, id } = await operator();
    const hidden = hiddenFields((await client.get(NEW)).html, NEW);
    if (how === 'revoked') await keys.revoke(id);
    else await keys.disable(id);
    const asked = await client.post(NEW, { ...hidden, name: how, categoryId: '1' });
    expect(asked.status).toBe(401);
    expect(typedIn(await signInOn(client, asked, service.key), 'name')).toBe(how);
  });

  it('is kept during a failed sign-in', async () => {
    const { client, id, token } = await operator();
    await timeOut(id);
    const asked = await client.post(NEW, { name: 'patient', categoryId: '1' });
    const fields = { ...hiddenFields(asked.html, '/admin/sign-in'), key: createToken() };
    const refused = await client.post('/admin/sign-in', fields);
    expect(refused.status).toBe(401);
    expect(typedIn(await signInOn(client, refused, token), 'name')).toBe('patient');
  });

  it('still notices that its record was changed since it was opened', async () => {
    const { client, id, token } = await operator();
    const pet = await addPet('before');
    const path = `${LIST}/${pet}/edit`;
    const hidden = hiddenFields((await client.get(path)).html, path);
    await timeOut(id);
    await records.update(PETS_ADMIN, BigInt(pet), { categoryId: 2n });
    const asked = await client.post(path, { ...hidden, name: 'mine', categoryId: '1', status: 'available' });
    const again = await signInOn(client, asked, token);
    expect([typedIn(again, 'name'), typedIn(again, 'categoryId')]).toEqual(['mine', '1']);
    const sent = { ...hiddenFields(again.html, path), name: 'mine', categoryId: '1', status: 'available' };
    const conflict = await client.post(path, sent);
    expect(conflict.status).toBe(409);
    expect(conflict.html).toContain('id="meanwhile"');
    expect((await records.get(PETS_ADMIN, BigInt(pet))).values).toMatchObject({
      name: 'before',
      categoryId: 2n,
    });
  });

  it('leads from a single button to the form with the change', async () => {
    const { client, id, token } = await operator();
    const pet = await addPet('quick');
    const hidden = hiddenFields((await client.get(`${LIST}/${pet}`)).html, `${LIST}/${pet}/edit`);
    await timeOut(id);
    const asked = await client.post(`${LIST}/${pet}/edit`, { ...hidden, status: 'sold' });
    const again = await signInOn(client, asked, token);
    expect([typedIn(again, 'name'), typedIn(again, 'status')]).toEqual(['quick', 'sold']);
    const path = `${LIST}/${pet}/edit`;
    const fields = { ...hiddenFields(again.html, path), name: 'quick', categoryId: '1', status: 'sold' };
    expect((await client.post(path, fields)).status).toBe(303);
    expect((await records.get(PETS_ADMIN, BigInt(pet))).values).toMatchObject({ status: 'sold' });
  });

  it('makes no key before it is sent again, and keeps everything that was chosen', async () => {
    const { client, id, token } = await operator();
    const hidden = hiddenFields((await client.get('/admin/keys/new')).html, '/admin/keys/new');
    await timeOut(id);
    const fields = {
      name: 'nightly',
      owner: 'Data',
      scopes: ['pets:read', 'pets:write'],
      expiresAt: '2031-02-28',
    };
    const asked = await client.post('/admin/keys/new', { ...hidden, ...fields });
    const again = await signInOn(client, asked, token);
    expect(['name', 'owner', 'expiresAt'].map((name) => typedIn(again, name))).toEqual([
      'nightly',
      'Data',
      '2031-02-28',
    ]);
    const checked = [...again.html.matchAll(/value="([\w:]+)"\s+checked/g)].map(([, scope]) => scope);
    expect(checked.sort()).toEqual(['pets:read', 'pets:write']);
    expect((await keys.list()).filter(({ name }) => name === 'nightly')).toEqual([]);
    expect(
      (await client.post('/admin/keys/new', { ...hiddenFields(again.html, '/admin/keys/new'), ...fields }))
        .status,
    ).toBe(200);
  });

  it('keeps the overlap that was chosen for a rotation', async () => {
    const { client, id, token } = await operator();
    const { key } = await keys.create({ name: 'rotating', scopes: ['pets:read'] });
    const path = `/admin/keys/${key.id}/rotate`;
    await timeOut(id);
    const again = await signInOn(client, await client.post(path, { overlap: '604800000' }), token);
    expect(typedIn(again, 'overlap')).toBe('604800000');
  });

  it('leads back to the page of a question or a button, and changes nothing', async () => {
    const { client, id, token } = await operator();
    const pet = await addPet('kept');
    for (const [path, page] of [
      [`${LIST}/${pet}/remove`, `${LIST}/${pet}/remove`],
      [`${LIST}/bulk?status=available&set-status=sold`, `${LIST}/bulk?status=available&set-status=sold`],
      [`${LIST}/${pet}/restore`, `${LIST}/${pet}`],
      [`/admin/keys/${id}/disable`, `/admin/keys/${id}`],
      ['/admin/sign-out-everywhere', '/admin'],
    ] as const) {
      await timeOut(id);
      const asked = await client.post(path, { 'record-version': 'x', 'expected-count': '3' });
      const fields = { ...hiddenFields(asked.html, '/admin/sign-in'), key: token };
      expect(await client.post('/admin/sign-in', fields)).toMatchObject({ status: 303, location: page });
      if (page !== '/admin') expect([page, (await client.get(page)).status]).toEqual([page, 200]);
    }
    expect((await records.get(PETS_ADMIN, BigInt(pet))).values).toMatchObject({ status: 'available' });
  });

  it('is kept without the tokens of the form, and appears in no log and no other session', async () => {
    const { client, id, token } = await operator();
    const other = await openConsole(service, token);
    const hidden = hiddenFields((await client.get(NEW)).html, NEW);
    await timeOut(id);
    const asked = await client.post(NEW, { ...hidden, name: 'for me alone', categoryId: '1' });
    for (const name of ['_csrf', '_once']) expect(asked.html).not.toContain(hidden[name] as string);
    const signIn = { ...hiddenFields(asked.html, '/admin/sign-in'), key: token };
    await client.post('/admin/sign-in', signIn);
    await other.signIn(token);
    expect(typedIn(await other.get(NEW), 'name')).toBe('');
    expect(typedIn(await client.get(NEW), 'name')).toBe('for me alone');
    expect(service.log()).not.toContain('for me alone');
    const rows = await sessions().find();
    expect(JSON.stringify(rows)).not.toContain('for me alone');
  });

  it('is not kept when it is too long, and the sign-in page comes in its place', async () => {
    const { client, id, token } = await operator();
    await timeOut(id);
    const fields = (length: number) => ({ name: 'é'.repeat(length), categoryId: '1' });
    const long = await client.post(NEW, fields(400));
    expect(typedIn(await signInOn(client, long, token), 'name')).toHaveLength(400);
    expect(hiddenFields(long.html, '/admin/sign-in')).toHaveProperty('fields');
    // One that is read and cannot be carried, and one that is not read.
    for (const length of [1_000, 150_000]) {
      await timeOut(id);
      const longer = await client.post(NEW, fields(length));
      expect([length, longer.status, codesIn(longer)]).toEqual([length, 401, ['not_signed_in']]);
      expect(hiddenFields(longer.html, '/admin/sign-in')).not.toHaveProperty('fields');
      expect(typedIn(await signInOn(client, longer, token), 'name')).toBe('');
    }
  });

  it('leads only to pages of the console, whatever address it names', async () => {
    const { client, token } = await operator();
    for (const path of ['https://example.com/', '//example.com', '/v1/pets']) {
      const fields = { return: path, fields: 'name=x', key: token };
      expect(await client.post('/admin/sign-in', fields)).toMatchObject({ status: 303, location: '/admin' });
    }
    const missing = { return: `${LIST}/new`, fields: '%', key: token };
    expect((await client.post('/admin/sign-in', missing)).status).toBe(303);
    expect((await client.get(NEW)).status).toBe(200);
  });

  it('is not shown when a page of another site has sent it', async () => {
    const client = await openConsole(service);
    const response = await client.post(NEW, { name: 'forged' }, { Origin: 'https://example.com' });
    expect(response.status).toBe(403);
    expect(response.html).not.toContain('forged');
  });

  it('is shown again without a sign-in when another tab has begun a session', async () => {
    const { client, token } = await operator();
    const hidden = hiddenFields((await client.get(NEW)).html, NEW);
    await client.signIn(token);
    const before = await count();
    const fields = { ...hidden, name: 'other tab', categoryId: '1' };
    expect(await client.post(NEW, fields)).toMatchObject({ status: 303, location: NEW });
    const again = await client.get(NEW);
    expect(noticeIn(again)).toMatchObject({ tone: 'warning', actions: [] });
    expect(typedIn(again, 'name')).toBe('other tab');
    expect(await count()).toBe(before);
    // A form of another site, or one that does not say where it is from, is refused.
    client.saysOrigin = false;
    const others: Record<string, string>[] = [
      {},
      { Origin: 'https://example.com' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of others) {
      expect((await client.post(NEW, { ...fields, name: 'forged' }, headers)).status).toBe(403);
    }
    expect(typedIn(await client.get(NEW), 'name')).toBe('');
  });
});
