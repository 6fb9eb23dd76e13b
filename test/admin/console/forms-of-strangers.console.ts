import {
  FAILED_SIGN_INS_PER_MINUTE,
  FORMS_OF_STRANGERS_PER_MINUTE,
  LOGOUTS_PER_MINUTE,
  RECORDED_REFUSALS_PER_MINUTE,
} from '../../../src/admin/console/sessions/sign-in-limit';
import { AuditLog } from '../../../src/platform/audit/audit-log';
import { createToken } from '../../../src/platform/security/api-key-token';
import { freePort } from '../../support/processes/free-port';
import { RawConnection, type RawResponse } from '../../support/http/raw-http';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole } from '../../support/service/console';
import { oidcEnvironment } from './support/oidc-provider';
import { ForgingProvider, sign } from './support/forging-provider';
import { codesIn } from './support/said';

/** As the pages promise it: not those of the code, which a change could make larger. */
const MAX_BYTES = 16_384;
const MAX_FIELDS = 100;
const SIGN_IN = '/admin/sign-in';
const NEW_PET = '/admin/records/pets/new';
const LOGOUT = '/admin/back-channel-logout';
const THEME = '/admin/theme';

let provider: ForgingProvider;
let service: TestService;
let connections: RawConnection[];
let addresses = 0;
/** The address that a test sends from: each has limits of its own. */
let address: string;

beforeAll(async () => {
  provider = await ForgingProvider.start();
  service = await startTestService('sqlite', {
    ...oidcEnvironment(provider.issuer, await freePort('127.0.0.1')),
    TRUST_PROXY: 'loopback',
  });
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});
beforeEach(() => {
  connections = [];
  address = `203.0.113.${(addresses += 1)}`;
});
afterEach(() => {
  for (const connection of connections) connection.destroy();
});

/** The head of a form in the name of the console's own page. */
function headOf(path: string, fields: string, from = address): string {
  const host = `127.0.0.1:${service.managementPort}`;
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nX-Forwarded-For: ${from}\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\n${fields}\r\n\r\n`
  );
}

/** Sends bytes on a connection of their own; resolves with the response, which has to come without a byte more. */
async function responseTo(bytes: string): Promise<RawResponse> {
  const connection = await RawConnection.open(service.managementPort);
  connections.push(connection);
  connection.send(bytes);
  return (await connection.nextResponse()) as RawResponse;
}

describe('A form without a session', () => {
  it.each([
    [SIGN_IN, 413],
    [THEME, 413],
    [LOGOUT, 413],
    // The sign-in page comes in its place.
    [NEW_PET, 401],
  ])(
    'that says it is longer than 16 kB has its response before a byte of it is sent: %s',
    async (path, status) => {
      const length = MAX_BYTES + 1;
      expect((await responseTo(headOf(path, `Content-Length: ${length}`))).status).toBe(status);
    },
  );

  it('that goes on beyond 16 kB is read no further', async () => {
    const body = 'a'.repeat(MAX_BYTES + 1);
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
    const { status } = await responseTo(headOf(SIGN_IN, 'Transfer-Encoding: chunked') + chunk);
    expect(status).toBe(413);
  });

  it.each(['a', '%41', 'a=1', ''])('has a hundred fields at most, whatever they are: %j', async (field) => {
    const send = (count: number) => {
      const body = Array.from({ length: count }, () => field).join('&');
      return responseTo(headOf(SIGN_IN, `Content-Length: ${body.length}`) + body);
    };
    expect((await send(MAX_FIELDS + 1)).status).toBe(413);
    expect((await send(MAX_FIELDS)).status).toBe(401);
  });

  it.each([
    ['of multipart/form-data', 'Content-Type: multipart/form-data; boundary=x'],
    ['that is compressed', 'Content-Type: application/x-www-form-urlencoded\r\nContent-Encoding: gzip'],
    ['of JSON', 'Content-Type: application/json'],
  ])('%s is refused before a byte of it is sent', async (_, fields) => {
    const head = headOf(SIGN_IN, 'Content-Length: 100').replace(/Content-Type: [^\r]*/, fields);
    expect((await responseTo(head)).status).toBe(415);
  });

  it.each([
    [SIGN_IN, FAILED_SIGN_INS_PER_MINUTE],
    [THEME, FORMS_OF_STRANGERS_PER_MINUTE],
    [LOGOUT, LOGOUTS_PER_MINUTE],
    [NEW_PET, FORMS_OF_STRANGERS_PER_MINUTE],
  ])('is counted by address before it is read: %s', async (path, limit) => {
    // Each waits for a byte that never comes.
    for (let i = 0; i < limit; i++) {
      const connection = await RawConnection.open(service.managementPort);
      connections.push(connection);
      connection.send(headOf(path, 'Content-Length: 5'));
    }
    expect((await responseTo(headOf(path, 'Content-Length: 5'))).status).toBe(429);
    const other = headOf(path, 'Content-Length: 5', '198.51.100.1');
    expect((await responseTo(`${other}key=a`)).status).not.toBe(429);
  });
});

describe('A provider', () => {
  it('ends 80 sessions at once, and the limit of other forms is not met', async () => {
    const bodies = await Promise.all(
      Array.from({ length: 80 }, async () => `logout_token=${await sign(provider.logoutToken())}`),
    );
    for (const body of bodies) {
      const connection = await RawConnection.open(service.managementPort);
      connections.push(connection);
      connection.send(headOf(LOGOUT, `Content-Length: ${body.length}`));
    }
    // None is over before all have begun.
    bodies.forEach((body, index) => connections[index]?.send(body));
    const responses = await Promise.all(connections.map((connection) => connection.nextResponse()));
    expect(new Set(responses.map((response) => response?.status))).toEqual(new Set([200]));
    expect((await responseTo(`${headOf(THEME, 'Content-Length: 1')}a`)).status).not.toBe(429);
  });

  it('is asked for its keys only now and then by logout tokens of unknown keys', async () => {
    const before = provider.keyRequests;
    for (let i = 0; i < 20; i++) {
      const token = provider.logoutToken();
      const header = { ...token.header, kid: crypto.randomUUID() };
      const body = `logout_token=${await sign({ ...token, header })}`;
      const head = headOf(LOGOUT, `Content-Length: ${body.length}`, `198.51.100.${10 + i}`);
      expect((await responseTo(head + body)).status).toBe(400);
    }
    expect(provider.keyRequests - before).toBeLessThan(20);
  });
});

describe('A form with files', () => {
  let client: ConsoleClient;
  beforeEach(async () => {
    client = await openConsole(service, service.key);
  });

  it.each(['a[99999999]', 'a[]', 'a[b]', 'a[0][0]'])('has no field of the name %s', async (name) => {
    const file = new File(['name,categoryId\n'], 'pets.csv');
    const page = await client.upload('/admin/records/pets/import', { [name]: '1', file });
    expect([page.status, codesIn(page)]).toEqual([400, expect.arrayContaining(['unreadable_form'])]);
  });
});

describe('A sign-in by OIDC that is refused', () => {
  const CALLBACK = '/admin/sign-in/oidc/callback';
  const MANY = FAILED_SIGN_INS_PER_MINUTE + 1;
  const refused = (count: number) => Array.from({ length: count }, () => 401);
  let client: ConsoleClient;
  beforeEach(async () => {
    client = await openConsole(service);
    client.headers = { 'X-Forwarded-For': address };
  });

  async function statusesOf(query: string): Promise<number[]> {
    const statuses = [];
    for (let i = 0; i < MANY; i++) statuses.push((await client.get(`${CALLBACK}?${query}`)).status);
    return statuses;
  }

  it('is recorded, and counts for nobody if the browser has not begun it', async () => {
    await client.get('/admin/sign-in/oidc');
    expect(await statusesOf('state=y')).toEqual(refused(MANY));
    const [event] = await service.app
      .get(AuditLog)
      .list({ action: 'sessions.sign_in_refused' }, { limit: 1 });
    expect(event).toMatchObject({ subjectType: 'people', address });
  });

  it('counts for sign-ins by OIDC, and not for keys, if the browser has begun it', async () => {
    const { location = '' } = await client.get('/admin/sign-in/oidc');
    const state = new URL(location).searchParams.get('state') ?? '';
    expect(await statusesOf(`state=${state}`)).toEqual([...refused(FAILED_SIGN_INS_PER_MINUTE), 429]);
    expect((await client.post(SIGN_IN, { key: service.key })).status).toBe(303);
  });

  it('leaves room in the audit log for refused keys, however many there are', async () => {
    for (let i = 0; i < RECORDED_REFUSALS_PER_MINUTE + 1; i++) await client.get(`${CALLBACK}?state=y`);
    await client.post(SIGN_IN, { key: createToken() });
    const [event] = await service.app
      .get(AuditLog)
      .list({ action: 'sessions.sign_in_refused' }, { limit: 1 });
    expect(event).toMatchObject({ subjectType: 'keys', address });
  });
});
