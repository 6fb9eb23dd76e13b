import { OperationRegistry } from '../../../src/platform/http/operations/operation-registry';
import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, openConsole } from '../../support/service/console';
import { codesIn } from './support/said';

/** What needs no session: a sign-in, a choice of the browser, and the message of the OIDC provider. */
const OPEN = ['/admin/sign-in', '/admin/theme', '/admin/back-channel-logout'];

describe('A change in the console', () => {
  let service: TestService;
  let client: ConsoleClient;
  let paths: readonly string[];

  beforeAll(async () => {
    service = await startTestService('sqlite');
    client = await openConsole(service, service.key);
    paths = service.app
      .get(OperationRegistry)
      .of('management')
      .filter(({ method, path }) => method === 'POST' && !OPEN.includes(path))
      .map(({ path }) => path.replaceAll(/:\w+/g, '1'));
    expect(paths.length).toBeGreaterThan(30);
  });
  afterAll(() => service.stop());

  /** The responses to a form at every path that changes something. */
  async function responses(fields: Record<string, string>, headers: Record<string, string> = {}) {
    const found = [];
    for (const path of paths) {
      const response = await client.post(path, fields, headers);
      found.push([path, response.status, codesIn(response).includes('not_allowed')]);
    }
    return found;
  }
  const refused = () => paths.map((path) => [path, 403, true]);

  it('has no effect without the token of the session, at every path', async () => {
    expect(await responses({})).toEqual(refused());
  });

  it('has no effect with another token, at every path', async () => {
    expect(await responses({ _csrf: 'x'.repeat(43) })).toEqual(refused());
  });

  it('has no effect for a page of another origin, at every path', async () => {
    expect(await responses({}, { Origin: 'https://example.com' })).toEqual(refused());
  });

  it('has no effect where no page is said to have sent it, at every path', async () => {
    client.saysOrigin = false;
    expect(await responses({})).toEqual(refused());
    client.saysOrigin = true;
  });
});
