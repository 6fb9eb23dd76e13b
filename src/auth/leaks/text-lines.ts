import type { Readable } from 'node:stream';

/** Longer lines, as binary files have them, come in parts: memory does not depend on what is read. */
const LONGEST_PART = 65_536;

/** A line, or a part of a long one. */
export interface LinePart {
  /** A character for each byte (Latin-1): nothing is lost of what is not text. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** Whether the line begins with it. */
  readonly isStart: boolean;
}

/**
 * The lines of a stream.
 *
 * @param overlap so many of the last characters of a part are the first ones of the next
 */
export async function* linesOf(stream: Readable, overlap: number): AsyncGenerator<LinePart> {
  stream.setEncoding('latin1');
  let rest = '';
  let line = 1;
  let isStart = true;
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      yield { text, line, isStart };
      line += 1;
      isStart = true;
    }
    if (rest.length > LONGEST_PART) {
      yield { text: rest, line, isStart };
      rest = rest.slice(-overlap);
      isStart = false;
    }
  }
  if (rest !== '') yield { text: rest, line, isStart };
}
