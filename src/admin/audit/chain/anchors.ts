import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { CommandError } from '../../../platform/cli/command-error';
import { exactJson } from '../../../platform/values/exact-json';
import { parseDecimalInt64 } from '../../../platform/values/int64';
import type { Link } from './seal';

/** A link that was written down outside the database: up to it, nobody can rebuild or cut the chain unnoticed. */
export interface Anchor extends Link {
  /** Time at which it was written down. */
  readonly at: string;
}

/** Adds an anchor to a file, and waits until it is on the disk. */
export async function appendAnchor(file: string, { at, sequence, eventId, hash }: Anchor): Promise<void> {
  const line = `${exactJson({ at, sequence, eventId, hash })}\n`;
  await appendFile(file, line, { mode: 0o600, flush: true });
}

/**
 * Reads anchors by their sequence: from lines as {@link appendAnchor} writes them, and from lines of the log that hold one as
 * `auditAnchor`. Skips other lines.
 *
 * @throws CommandError if the file cannot be read or has no anchors
 */
export async function readAnchors(file: string): Promise<ReadonlyMap<bigint, Anchor>> {
  const anchors = new Map<bigint, Anchor>();
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const anchor = readAnchor(line);
      // The anchor that was written first counts.
      if (anchor && !anchors.has(anchor.sequence)) anchors.set(anchor.sequence, anchor);
    }
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`);
  }
  if (anchors.size === 0) throw new CommandError(`${file} has no anchors.`);
  return anchors;
}

function readAnchor(line: string): Anchor | undefined {
  // JSON.parse would read the numbers as doubles, and round them.
  const texts = line.replaceAll(/"(sequence|eventId)":"?(\d+)"?/g, '"$1":"$2"');
  const { auditAnchor, ...own } = jsonObject(texts);
  const { at, sequence, eventId, hash } = (auditAnchor ?? own) as Record<string, unknown>;
  const [place, event] = [sequence, eventId].map((text) => parseDecimalInt64(String(text)));
  if (place === undefined || event === undefined || typeof hash !== 'string') return undefined;
  return { at: String(at), sequence: place, eventId: event, hash };
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
