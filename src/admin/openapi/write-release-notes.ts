import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReleases, releaseNotes } from '../../../packages/tools/src/openapi/release-notes';
import { markdownList } from '../../platform/openapi/markdown';

/** Folder with the document of each release, named by its version. */
const RELEASES = join('docs', 'releases');

/** File of the guide's section that lists the changes of each release. */
const NOTES = join('src', 'platform', 'openapi', 'guide', 'changes.md');

writeFileSync(NOTES, releaseNotes(readReleases(RELEASES), markdownList));
