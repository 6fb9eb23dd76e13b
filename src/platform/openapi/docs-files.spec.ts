import type { Settings } from '../config/settings';
import type { Operation } from '../http/operations/operation';
import { ServiceAddress } from '../values/service-address';
import type { ApiDocument } from './api-document';
import { DocsFiles } from './docs-files';
import { guideSections } from './guide';

/** More than the pages that are kept. */
const MANY = 100;

describe('A page of the docs', () => {
  it('is rendered once per address, and kept in a bounded cache', () => {
    const address = new ServiceAddress(undefined);
    const sections = guideSections({
      operations: [] as Operation[],
      root: 'https://api.example.com',
      address,
      states: new Map(),
      requestsPerMinute: 0,
    });
    const document = { info: { title: 'Toys', version: '1.0.0' } };
    const files = new DocsFiles({ document, sections } as ApiDocument, address, {} as Settings);
    const page = files.guideText('http://toys.example');
    expect(page.body.toString()).toContain("baseUrl: 'http://toys.example/v1'");
    expect(files.guideText('http://toys.example')).toBe(page);
    const others = Array.from({ length: MANY }, (_, number) => files.guideText(`http://${number}.example`));
    expect(others.at(-1)?.body.toString()).toContain(`http://${MANY - 1}.example/v1`);
    expect(files.guideText(`http://${MANY - 1}.example`)).toBe(others.at(-1));
    const again = files.guideText('http://toys.example');
    expect(again).not.toBe(page);
    expect(again.body).toEqual(page.body);
  });
});
