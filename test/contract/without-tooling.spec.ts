import { readFileSync } from 'node:fs';
import { commandGroups } from '../../src/create-cli';
import type { Cli } from '../../src/platform/cli/cli';
import { createProgram } from '../../src/platform/cli/program';
import { createToken } from '../../src/platform/security/api-key-token';
import { ShelterModule } from '../support/shelter/shelter.module';
import { type ServedDocument, servedDocument } from '../support/service/served-document';
import { ask, creation } from './support/request';
import { useService } from './support/service';

// As if its line were left out.
jest.mock('../../src/tooling', () => ({ TOOLING: [] }));

/** Files of the contract about the operations of pets. */
const FILES = [
  'authentication',
  'conditional',
  'content',
  'created-ids',
  'document',
  'idempotency',
  'new-pet',
  'order',
  'paging',
  'query',
  'routing',
];

describe('The service without the admin tooling keeps the contract', () => {
  describe.each(FILES)('%s', (file) => {
    require(`./${file}.spec`);
  });
});

describe('The service without the admin tooling', () => {
  const token = createToken();
  const service = useService('sqlite', { BOOTSTRAP_API_KEY: token }, { ShelterModule });

  function getForOperators(path: string, accept = '*/*'): Promise<Response> {
    return fetch(`http://127.0.0.1:${service().managementPort}${path}`, { headers: { accept } });
  }

  it('serves the committed document', async () => {
    const committed = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as ServedDocument;
    // Tags come in the order in which Nest has found the modules.
    const sorted = ({ tags, ...rest }: ServedDocument) => ({
      ...rest,
      tags: tags.toSorted((one, other) => one.name.localeCompare(other.name)),
    });
    expect(sorted(await servedDocument(service()))).toEqual(sorted(committed));
  });

  it('accepts the BOOTSTRAP_API_KEY', async () => {
    const request = creation('{"name":"Rex","categoryId":1}', { key: token });
    expect(await ask(service(), request)).toMatchObject({ status: 201 });
  });

  it.each(['/health', '/metrics'])('serves %s on the management port', async (path) => {
    expect((await getForOperators(path)).status).toBe(200);
  });

  it.each(['/admin', '/admin/guests/days'])('has no page %s, of the console or of a module', async (path) => {
    const page = await getForOperators(path, 'text/html');
    expect([page.status, await page.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  });

  it('has the commands of the core', async () => {
    const { commands } = createProgram(await commandGroups(), {} as Cli);
    expect(commands.map((command) => command.name())).toEqual(['keys', 'seed', 'config', 'openapi']);
  });
});
