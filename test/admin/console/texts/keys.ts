import type { ConsoleResponse } from '../../../support/service/console';
import type { Said, Visit } from './visit';

/** Sends the form for a new key with some fields changed. */
const newKey = (fields: Record<string, string>) => (visit: Visit) =>
  visit.send('/admin/keys/new', '/admin/keys/new', { name: 'made', scopes: 'pets:read', ...fields });

/** Goes to a page of a new key, or sends its form. */
const send =
  (path: string, fields: Record<string, string> = {}) =>
  async (visit: Visit) => {
    const key = await visit.keyPage();
    return visit.send(`${key}${path}`, `${key}${path}`, fields);
  };
const open = (path: string) => async (visit: Visit) => visit.client.get(`${await visit.keyPage()}${path}`);

/** Opens a page of the key with which the operator is signed in. */
const openOwn = (path: string) => async (visit: Visit) => {
  const { client, id } = await visit.operator('admin:keys');
  return client.get(`/admin/keys/${id}${path}`);
};

/** Does something while one key alone may manage keys. */
const lonely = (work: (visit: Visit, key: string) => Promise<ConsoleResponse>) => async (visit: Visit) => {
  const managing = (await visit.keys.list()).filter(
    ({ scopes, status }) => status === 'active' && scopes.includes('admin:keys'),
  );
  const [, own = ''] =
    /<span class="who-id">([^<]*)</.exec((await visit.client.get('/admin/sessions')).html) ?? [];
  const others = managing.filter(({ id }) => id !== own);
  for (const { id } of others) await visit.keys.disable(id);
  const page = await work(visit, `/admin/keys/${own}`);
  for (const { id } of others) await visit.keys.enable(id);
  return page;
};

/** What the pages about API keys say. */
export const KEYS: readonly Said[] = [
  ['a new key', newKey({}), ['Copy the key now: the console shows it only once.']],
  ['a new key without a name', newKey({ name: ' ' }), ['An API key needs a name.']],
  ['a new key that would be over', newKey({ expiresAt: '2001-01-01' }), ['The expiry is in the past.']],
  ['a new key with a day that is none', newKey({ expiresAt: 'soon' }), ['Write the day as 2027-01-31.']],
  [
    'a new key with a quota of nothing',
    newKey({ quotaPerMonth: '0' }),
    ['The quota a month must be a whole number from 1 to 1000000000.'],
  ],
  [
    'the question before a rotation',
    open('/rotate'),
    [
      'This makes a new key with the name, owner, scopes, networks and limits of shop. Both keys work until the old key expires.',
    ],
  ],
  ['a rotation without an overlap', send('/rotate', { overlap: '0' }), ['The old key, …, no longer works.']],
  [
    'a rotation with an overlap',
    send('/rotate', { overlap: '3600000' }),
    ['The old key, …, stops working in 59 minutes.'],
  ],
  [
    'a key that was rotated',
    async ({ client, keys }) => {
      const { key } = await keys.create({ name: 'twin', scopes: ['pets:read'] });
      await keys.rotate(key.id, 3_600_000);
      return client.get(`/admin/keys/${key.id}`);
    },
    ['A rotation has replaced this key, which works until its expiry. “Replaced by” names the new key.'],
  ],
  [
    'a key that expires tomorrow',
    async ({ client, keys }) => {
      const expiresAt = new Date((Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000);
      const { key } = await keys.create({ name: 'dated', scopes: ['pets:read'], expiresAt });
      return client.get(`/admin/keys/${key.id}`);
    },
    ['This key expires tomorrow.'],
  ],
  [
    'the question before a revocation',
    open('/revoke'),
    [
      'Revoke shop (…)? Requests with this key are refused from then on. Its sessions in this console end. A revocation cannot be undone.',
    ],
  ],
  ['the use of a key', open(''), ['Counts every accepted call.']],
  ['a key that was revoked', send('/revoke'), ['shop is revoked for good.']],
  [
    'a key that was disabled',
    async (visit) => {
      const key = await visit.keyPage();
      return visit.send(key, `${key}/disable`);
    },
    ['shop is disabled: requests with it are refused.'],
  ],
  [
    'a key that was enabled',
    async (visit) => {
      const key = await visit.keyPage();
      await visit.send(key, `${key}/disable`);
      return visit.send(key, `${key}/enable`);
    },
    ['shop works again.'],
  ],
  [
    'a key that is enabled after its end',
    async (visit) => {
      const key = await visit.keyPage();
      const page = await visit.client.get(key);
      await visit.keys.revoke(key.split('/').at(-1) ?? '');
      const [, token = ''] = /name="_csrf" value="([^"]*)"/.exec(page.html) ?? [];
      return visit.client.post(`${key}/enable`, { _csrf: token });
    },
    ['is revoked; create a new one instead.'],
  ],
  [
    'a key that was changed',
    send('/edit', { name: 'stall', scopes: 'pets:read', expiresIn: 'keep' }),
    ['stall is changed.'],
  ],
  [
    'a key with new limits',
    send('/rules', { limitPerMinute: '20' }),
    ['The networks and limits of shop were changed.'],
  ],
  [
    "the operator's own key",
    openOwn(''),
    ['You are signed in with this key: disabling or revoking it signs you out.'],
  ],
  [
    "a change of the operator's own key",
    openOwn('/edit'),
    ['You are signed in with this key: you lose the scopes that you remove.'],
  ],
  [
    "the networks of the operator's own key",
    openOwn('/rules'),
    ['You are signed in with this key: networks without your address sign you out.'],
  ],
  [
    "a revocation of the operator's own key",
    openOwn('/revoke'),
    ['You are signed in with this key: you will be signed out.'],
  ],
  [
    'the last key that may manage keys',
    lonely(({ client }, key) => client.get(key)),
    ['This is the last active key that may manage keys.'],
  ],
  [
    'a revocation of the last key that may manage keys',
    lonely(({ client }, key) => client.get(`${key}/revoke`)),
    [
      'This is the last active key that may manage keys. Without this key, only “npm run -s petstore -- keys create” on the machine of the service can create such a key.',
    ],
  ],
  [
    'the last key that may manage keys, when it is disabled',
    lonely((visit, key) => visit.send(key, `${key}/disable`)),
    [
      'This is the last active key that may manage keys. Without this key, only “npm run -s petstore -- keys enable” or “npm run -s petstore -- keys create” on the machine of the service can enable or create such a key.',
    ],
  ],
  [
    'the last key that may manage keys, when it loses that right',
    lonely((visit, key) => visit.send(`${key}/edit`, `${key}/edit`, { name: 'test', scopes: 'admin:read' })),
    ['is the last active key', 'Save once more to confirm.'],
  ],
  [
    'a list of keys that has ended',
    ({ client }) => client.get('/admin/keys?after=key_none'),
    ['The list ends here There are no API keys on this page any more.'],
  ],
  [
    'a list of keys that none matches',
    ({ client }) => client.get('/admin/keys?q=nothing+like+it'),
    ['No API keys match Change the filters, or show API keys of every status.'],
  ],
  [
    'the choice of scopes',
    ({ client }) => client.get('/admin/keys/new'),
    [
      'pets:read Call listPets, getPet',
      'admin:pets Change pets in this console',
      'admin:praise Praise guests in this console',
      'admin:days Adoption days in this console',
    ],
  ],
];
