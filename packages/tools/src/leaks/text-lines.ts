import type { Readable } from 'node:stream';

/** Longer lines, as binary files have them, are split: memory does not depend on what is read. */
const LONGEST_PART = 65_536;

/** A line, or a part of a long one. */
export interface LinePart {
  /** One character for each byte (Latin-1): bytes that are not text are not lost. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** True if the line begins with this part. */
  readonly isStart: boolean;
}

/**
 * Reads a stream line by line.
 *
 * @param overlap number of last characters of a part that the next part repeats
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
