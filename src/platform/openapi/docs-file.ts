import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { entityTag } from '../http/request/conditional';

/** Media type of the packages of the client. */
export const ARCHIVE = 'application/gzip';

const brotli = promisify(brotliCompress);

/** Compresses a file while its first reader waits: by Brotli in a tenth of a second for the longest, a tenth shorter than by gzip. */
const COMPRESS = {
  br: (body: Buffer) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};

/** Coding of a compressed file, as HTTP names it. */
type Coding = keyof typeof COMPRESS;

/** Codings that files are sent in, the shorter one first. */
export const CODINGS: readonly Coding[] = ['br', 'gzip'];

/** A file of the docs, ready to be sent. */
export class DocsFile {
  readonly body: Buffer;
  readonly tag: string;
  private readonly packed = new Map<Coding, Promise<DocsFile>>();

  /**
   * @param type media type, with its charset where it has one
   * @param prepared the content as it is compressed already
   */
  constructor(
    readonly type: string,
    content: string | Buffer,
    readonly encoding?: Coding,
    private readonly prepared?: Readonly<Partial<Record<Coding, Buffer>>>,
  ) {
    this.body = Buffer.from(content);
    this.tag = entityTag(this.body);
  }

  /** Returns the same file compressed, once, in a thread of its own; an image or archive, which is compressed already, itself. */
  async compressed(coding: Coding): Promise<DocsFile> {
    if (this.type === ARCHIVE || this.type.startsWith('image/')) return this;
    const packed = this.packed.get(coding) ?? this.compress(coding);
    this.packed.set(coding, packed);
    return packed;
  }

  private async compress(coding: Coding): Promise<DocsFile> {
    const body = this.prepared?.[coding] ?? (await COMPRESS[coding](this.body));
    return new DocsFile(this.type, body, coding);
  }
}
