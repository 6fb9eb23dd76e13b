import { crc32 } from 'node:zlib';

/** Bytes of the signature and of the header, which is the first chunk (PNG, section 5). */
const FIRST_CHUNKS = 33;

/** Keyword of the text, and no compression, language and translation of the keyword. */
const HEAD = 'Description\0\0\0\0\0';

/** Adds a text to a PNG, which it carries in a chunk of the type iTXt (PNG, section 11.3.3.4). */
export function withText(png: Buffer, text: string): Buffer {
  const data = Buffer.from(`iTXt${HEAD}${text}`);
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  return Buffer.concat([png.subarray(0, FIRST_CHUNKS), chunk, png.subarray(FIRST_CHUNKS)]);
}

/** The text that a PNG carries; empty if none was added to it. */
export function textOf(png: Buffer): string {
  const data = png.subarray(FIRST_CHUNKS + 8, FIRST_CHUNKS + 8 + png.readUInt32BE(FIRST_CHUNKS)).toString();
  return data.startsWith(HEAD) ? data.slice(HEAD.length) : '';
}
