import { packageVersion } from '../../platform/config/package-version';
import { exactJson } from '../../platform/values/exact-json';
import { parseDecimalInt64 } from '../../platform/values/int64';
import { readJson } from '../../platform/values/json-reader';
import type { AuditEntry } from './audit-trail.service';
import { ocsfEvent } from './ocsf';

/** Format of events for other systems: the members of {@link AuditEntry}, or OCSF. */
export type EventFormat = 'ndjson' | 'ocsf';

const VERSION = packageVersion();

/** Converts entries to the objects of a format. */
export function inFormat(entries: readonly AuditEntry[], format: EventFormat): readonly object[] {
  return format === 'ocsf' ? entries.map((entry) => ocsfEvent(entry, VERSION)) : entries;
}

/** Writes entries as lines of JSON. */
export function asLines(entries: readonly AuditEntry[], format: EventFormat): string {
  return inFormat(entries, format)
    .map((value) => `${exactJson(value)}\n`)
    .join('');
}

/** Returns the id of the event in a line that {@link asLines} wrote; undefined if the line is of another format. */
export function idInLine(line: string, format: EventFormat): bigint | undefined {
  try {
    const { id, metadata } = readJson(Buffer.from(line)) as { id?: unknown; metadata?: { uid?: unknown } };
    return parseDecimalInt64(String(format === 'ocsf' ? metadata?.uid : id));
  } catch {
    return undefined;
  }
}
