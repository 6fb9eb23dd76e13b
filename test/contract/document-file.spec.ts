import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOpenapiDocument } from '../../src/process/openapi-document';
import { startTestService } from '../support/service/service';

describe('The committed document', () => {
  let root: string;
  let file: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'openapi-document-'));
    file = join(root, 'docs', 'openapi.json');
  });

  afterAll(() => rmSync(root, { recursive: true }));

  it('is what a service with default settings serves', async () => {
    expect(await runOpenapiDocument([], root)).toBeUndefined();
    const service = await startTestService('sqlite');
    const served: unknown = await (await fetch(`${service.url}/docs/openapi.json`)).json();
    await service.stop();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(served);
  });

  it('passes its check as it was written, and fails after any change', async () => {
    expect(await runOpenapiDocument(['--check'], root)).toBeUndefined();
    writeFileSync(file, readFileSync(file, 'utf8').replace('"maximum": 100', '"maximum": 101'));
    expect(await runOpenapiDocument(['--check'], root)).toContain('differs');
    rmSync(file);
    expect(await runOpenapiDocument(['--check'], root)).toContain('differs');
  });
});
