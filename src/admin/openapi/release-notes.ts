import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { markdownList } from '../../platform/openapi/markdown';
import type { Change } from './change';
import { compareDocuments } from './compare-documents';
import { OpenapiDocument } from './document-node';

/** Folder with the document of each release, named by its version. */
const RELEASES = join('docs', 'releases');

/** File of the guide's section that lists the changes of each release. */
const NOTES = join('src', 'platform', 'openapi', 'guide', 'changes.md');

/** A released document. */
export interface Release {
  readonly version: string;
  readonly document: OpenapiDocument;
}

/** The released documents of the project at `root`, newest first. */
export function readReleases(root: string): Release[] {
  return readdirSync(join(root, RELEASES))
    .map((file) => {
      const text = readFileSync(join(root, RELEASES, file), 'utf8');
      return { version: parse(file).name, document: new OpenapiDocument(JSON.parse(text)) };
    })
    .sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
}

/** Lists what each release changed for clients, in Markdown: a section of the guide. */
export function releaseNotes(releases: readonly Release[]): string {
  const notes = releases.map(({ version, document }, index) => {
    const before = releases[index + 1];
    return `### ${version}\n\n${before ? changesIn(compareDocuments(before.document, document)) : 'The first release.'}`;
  });
  return ['# Changes', '<!-- more -->', ...notes].join('\n\n') + '\n';
}

function changesIn(changes: readonly Change[]): string {
  if (changes.length === 0) return 'Nothing changes for clients.';
  return markdownList(
    changes.map(
      ({ severity, where, what }) => `${severity === 'breaking' ? 'Breaking: ' : ''}\`${where}\`: ${what}`,
    ),
  );
}

function main(): void {
  writeFileSync(NOTES, releaseNotes(readReleases(process.cwd())));
}

if (require.main === module) main();
