import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperationRegistry } from '../../../src/platform/http/operations/operation-registry';
import { startTestService, type TestService } from '../../support/service/service';
import { openConsole } from '../../support/service/console';

const PROJECT = join(__dirname, '..', '..', '..');

/** Addresses of the console that the pages name, without those of examples and those with a placeholder. */
function documentedAddresses(): string[] {
  const pages = globSync(['README.md', 'docs/**/*.md', 'src/platform/openapi/guide/*.md'], {
    cwd: PROJECT,
  });
  const named = pages.flatMap((page) => {
    const text = readFileSync(join(PROJECT, page), 'utf8');
    return [...text.matchAll(/`(?:GET |https?:\/\/[^/`]+)?(\/admin(?:\/[a-z/-]+)?(?:\?[^`<]*)?)`/g)];
  });
  return [...new Set(named.map(([, address = '']) => address))].filter((address) => !/orders/.test(address));
}

describe('The addresses of the console in the pages', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
  });
  afterAll(() => service.stop());

  it('lead to pages that have each parameter they are given', async () => {
    const addresses = documentedAddresses();
    expect(addresses.filter((address) => address.includes('?')).length).toBeGreaterThan(0);
    const client = await openConsole(service, service.key);
    const routes = service.app
      .get(OperationRegistry)
      .of('management')
      .map(({ path }) => path);
    for (const address of addresses) {
      const { pathname, searchParams } = new URL(address, service.url);
      expect(routes).toContain(pathname);
      const { html } = await client.get(address);
      for (const name of searchParams.keys())
        expect([address, html]).toEqual([address, expect.stringContaining(` name="${name}"`)]);
    }
  });
});
