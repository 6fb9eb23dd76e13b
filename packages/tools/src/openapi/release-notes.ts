import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Change } from './change';
import { compareDocuments } from './compare-documents';
import { OpenapiDocument } from './document-node';

/** A released document. */
export interface Release {
  readonly version: string;
  readonly document: OpenapiDocument;
}

/** Reads the documents of a folder, each named by the version of its release; newest first. */
export function readReleases(folder: string): Release[] {
  return readdirSync(folder)
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return { version: parse(file).name, document: new OpenapiDocument(JSON.parse(text)) };
    })
    .sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
}

/** Writes a list in Markdown, whose items may hold `code`. */
type WriteList = (items: readonly string[]) => string;

/**
 * Lists what each release changed for clients, in Markdown: a section of the guide.
 *
 * @param releases newest first
 */
export function releaseNotes(releases: readonly Release[], writeList: WriteList): string {
  const notes = releases.map(({ version, document }, index) => {
    const before = releases[index + 1];
    return `### ${version}\n\n${before ? changesIn(compareDocuments(before.document, document), writeList) : 'The first release.'}`;
  });
  return ['# Changes', '<!-- more -->', ...notes].join('\n\n') + '\n';
}

function changesIn(changes: readonly Change[], writeList: WriteList): string {
  if (changes.length === 0) return 'Nothing changes for clients.';
  return writeList(
    changes.map(
      ({ severity, where, what }) => `${severity === 'breaking' ? 'Breaking: ' : ''}\`${where}\`: ${what}`,
    ),
  );
}
