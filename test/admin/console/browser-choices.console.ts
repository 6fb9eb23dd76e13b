import { parseSetCookie } from 'cookie';
import { describeOneEngine } from '../../support/databases/databases';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, type ConsoleResponse, openConsole } from '../../support/service/console';

const LIST = '/admin/records/pets';
const COLUMNS = 'petstore_admin_columns';
const ZONE = 'petstore_admin_time_zone';

describeOneEngine('Columns and time zone that a person chooses', (engine) => {
  let service: TestService;
  let client: ConsoleClient;

  beforeAll(async () => {
    service = await startTestService(engine);
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    client = await openConsole(service, service.key);
  });

  const headings = ({ html }: ConsoleResponse) =>
    [...html.matchAll(/<a class="sort" [^>]*>([^<]*)/g)].map(([, name]) => name);
  const zone = ({ html }: ConsoleResponse) => /<a class="zone"[\s\S]*?<\/svg>([^<]*)</.exec(html)?.[1];
  const shown = async (browser: ConsoleClient) => {
    const page = await browser.get(LIST);
    return [headings(page), zone(page)];
  };
  const chooseColumns = (fields: Record<string, string>) => client.submit(LIST, `${LIST}/columns`, fields);
  const AT_FIRST = [['Id', 'Name', 'Category id', 'Status', 'Added'], 'UTC'];

  it('stay in this browser after the sign-out, and are not in another', async () => {
    await chooseColumns({ column: 'status' });
    await client.submit('/admin/time-zone', '/admin/time-zone', { zone: 'Europe/Zurich' });
    await client.submit(LIST, '/admin/sign-out');
    await client.signIn(service.key);
    expect(await shown(client)).toEqual([['Name', 'Status'], 'Zurich']);
    expect(await shown(await openConsole(service, service.key))).toEqual(AT_FIRST);
  });

  it('are cookies that only pages of the console get: columns those of their record type', async () => {
    const { raw } = await chooseColumns({ column: 'status' });
    expect(raw.headers.get('set-cookie')?.map((text) => parseSetCookie(text))).toEqual([
      {
        name: COLUMNS,
        value: 'name,status',
        path: LIST,
        httpOnly: true,
        sameSite: 'strict',
        maxAge: 31_536_000,
      },
    ]);
    const chosen = await client.submit('/admin/time-zone', '/admin/time-zone', { zone: 'Asia/Tokyo' });
    expect(chosen.raw.headers.get('set-cookie')?.map((text) => parseSetCookie(text))).toMatchObject([
      { name: ZONE, value: 'Asia/Tokyo', path: '/admin', httpOnly: true, sameSite: 'strict' },
    ]);
  });

  it('go when all columns are shown again', async () => {
    await chooseColumns({ column: 'status' });
    await chooseColumns({ 'all-columns': 'yes' });
    expect(client.cookies.has(COLUMNS)).toBe(false);
    expect(await shown(client)).toEqual(AT_FIRST);
  });

  it.each(['', ',', '%', '%00', '__proto__', '%22%3E%3Cscript%3E', '+01:00', 'x,'.repeat(2_000)])(
    'are as at first where a cookie says something else: case %#',
    async (odd) => {
      client.cookies.set(COLUMNS, odd).set(ZONE, odd);
      const page = await client.get(LIST);
      expect([page.status, headings(page), zone(page)]).toEqual([200, ...AT_FIRST]);
      expect(page.html).not.toContain('"><script>');
    },
  );
});
