import { createToken } from '../../../../src/platform/security/api-key-token';
import { hiddenFields } from '../../../support/service/console';
import type { Said } from './visit';

const NEW = '/admin/records/pets/new';

/** What is said around the sign-in, and by the pages of errors. */
export const SIGN_IN: readonly Said[] = [
  [
    'the sign-in page',
    async (visit) => (await visit.stranger()).get('/admin/sign-in'),
    [
      'Use a key with the scope admin:read. The browser does not store it.',
      'No key yet? Create a key on the machine of the service: npm run -s petstore -- keys create --name you --scopes admin:read',
    ],
  ],
  [
    'the sign-in page over a connection that is not encrypted',
    async (visit) => (await visit.stranger()).get('/admin/sign-in', { 'X-Forwarded-Proto': 'http' }),
    [
      'This page came over a connection that is not encrypted, so the browser will not keep you signed in. Open the console by HTTPS, or through a tunnel to localhost.',
    ],
  ],
  [
    'a key that does not open the console',
    async (visit) => (await visit.stranger()).post('/admin/sign-in', { key: createToken() }),
    ['This API key does not open the console.'],
  ],
  [
    'too many failed sign-ins',
    async (visit) => {
      const client = await visit.stranger();
      const attempt = () => client.post('/admin/sign-in', { key: createToken() });
      for (let i = 0; i < 10; i += 1) await attempt();
      return attempt();
    },
    ['Too many attempts'],
  ],
  [
    'a form after the end of the session',
    async (visit) => (await visit.stranger()).post(NEW, { name: 'Rex' }),
    [
      'You are no longer signed in, so nothing was changed. After the sign-in the form is shown again as you sent it.',
    ],
  ],
  [
    'a long form after the end of the session',
    async (visit) => (await visit.stranger()).post(NEW, { name: 'é'.repeat(150_000) }),
    [
      'You are no longer signed in, so nothing was changed. The form is too long to be kept during the sign-in: go back in your browser and copy your text first.',
    ],
  ],
  [
    'a form that is shown again',
    async ({ client, service }) => {
      await client.signIn(service.key);
      await client.post(NEW, { _csrf: 'of the other session', name: 'Rex' });
      return client.get(NEW);
    },
    ['This is the form as you sent it. The form was not carried out: check the form, and send it again.'],
  ],
  [
    'a button of another session',
    ({ client }) => client.post('/admin/sign-out-everywhere', { _csrf: 'of the other session' }),
    [
      'The form is not from your present session, so nothing was changed. Go back, reload the page and send the form again.',
    ],
  ],
  [
    'a form of another site',
    ({ client }) => client.post(NEW, {}, { Origin: 'https://example.com' }),
    ['The form was sent by a page of another site, so nothing was changed.'],
  ],
  [
    'a form that was sent twice',
    async ({ client }) => {
      const fields = { ...hiddenFields((await client.get(NEW)).html, NEW), name: 'Twice', categoryId: '1' };
      await client.post(NEW, fields);
      return client.post(NEW, fields);
    },
    ['This form was already sent and carried out. Nothing was done a second time.'],
  ],
  [
    'a form without a scope for it',
    async (visit) => (await visit.operator()).client.get(NEW),
    ['You do not have the scope admin:pets, which this page needs.'],
  ],
  [
    'an address without a page',
    ({ client }) => client.get('/admin/nothing'),
    ['This page does not exist, or its record was removed.'],
  ],
  [
    'an address with another method',
    ({ client }) => client.post('/admin/sessions', {}),
    ['This address does not accept this request; the address may belong to a form. Nothing was changed.'],
  ],
  [
    'a body that is no form',
    ({ client }) => client.post('/admin/sign-in', { key: 'x' }, { 'Content-Type': 'application/json' }),
    ['The console accepts forms only.'],
  ],
  [
    'a fault of the service',
    async ({ client, records }) => {
      const search = jest.spyOn(records, 'searchBriefly').mockRejectedValueOnce(new Error('away'));
      const page = await client.get('/admin/records/pets');
      search.mockRestore();
      return page;
    },
    [
      'Something went wrong',
      'The fault is on our side and has been logged. If you were changing something, check whether the change was saved.',
    ],
  ],
  [
    'a session that was ended on the page of sessions',
    async (visit) => {
      const other = await visit.stranger();
      other.headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36' };
      await other.signIn(visit.service.key);
      const page = await visit.client.get('/admin/sessions');
      return visit.sendFrom(page, /\/admin\/sessions\/ses_\w+\/end/.exec(page.html)?.[0] ?? 'none');
    },
    ['The session of Chrome 156 on Linux has ended.'],
  ],
];
