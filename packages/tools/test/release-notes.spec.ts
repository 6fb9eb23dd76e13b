import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownList } from '../../../src/platform/openapi/markdown';
import { addOf, listOf, sampleDocument } from './sample-document';
import { compareDocuments } from '../src/openapi/compare-documents';
import { OpenapiDocument } from '../src/openapi/document-node';
import { readReleases, releaseNotes } from '../src/openapi/release-notes';

const ROOT = join(__dirname, '..', '..', '..');
const RELEASES = join(ROOT, 'docs', 'releases');

describe('The notes of the releases', () => {
  it('say what each release changes for clients of the one before, newest first', () => {
    const [first, second] = [sampleDocument(), sampleDocument()];
    listOf(second).parameters.push({ name: 'q', in: 'query' });
    delete addOf(second).requestBody;
    const releases = [
      { version: '1.10.0', document: new OpenapiDocument(second) },
      { version: '1.9.0', document: new OpenapiDocument(first) },
      { version: '1.8.0', document: new OpenapiDocument(first) },
    ];
    expect(releaseNotes(releases, markdownList)).toBe(
      [
        '# Changes',
        '<!-- more -->',
        '### 1.10.0',
        '- `GET /pets, query parameter q`: The parameter is added.\n' +
          '- Breaking: `POST /pets, body`: The body is removed.',
        '### 1.9.0',
        'Nothing changes for clients.',
        '### 1.8.0',
        'The first release.\n',
      ].join('\n\n'),
    );
  });

  it('are committed in the guide as they are generated from the documents of the releases', () => {
    const committed = readFileSync(join(ROOT, 'src', 'platform', 'openapi', 'guide', 'changes.md'), 'utf8');
    expect(committed).toBe(releaseNotes(readReleases(RELEASES), markdownList));
  });

  it('contain no change of the committed document that breaks clients of the last release', () => {
    const committed = JSON.parse(readFileSync(join(ROOT, 'docs', 'openapi.json'), 'utf8')) as object;
    const [last] = readReleases(RELEASES);
    const changes = last ? compareDocuments(last.document, new OpenapiDocument(committed)) : undefined;
    expect(changes?.filter(({ severity }) => severity === 'breaking')).toEqual([]);
  });
});
