import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReleases, releaseNotes } from '../../../packages/tools/src/openapi/release-notes';
import { markdownList } from '../../platform/openapi/markdown';

/** Folder with the document of each release, named by its version. */
const RELEASES = join('docs', 'releases');

/** File of the guide's section that lists the changes of each release. */
const NOTES = join('src', 'platform', 'openapi', 'guide', 'changes.md');

const notes = releaseNotes(readReleases(RELEASES), markdownList);
if (!process.argv.includes('--check')) writeFileSync(NOTES, notes);
else if (readFileSync(NOTES, 'utf8') !== notes) {
  process.stderr.write(`${NOTES} differs from the documents of ${RELEASES}.\n`);
  process.exitCode = 1;
}
