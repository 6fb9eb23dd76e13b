import { type FileHandle, open } from 'node:fs/promises';

/** A row that was not imported. */
export interface Refusal {
  /** The line on which the row begins. */
  readonly line: number;
  readonly reason: string;
  /** The row as it stands in the file, as far as it is text. */
  readonly row: string;
}

/** A file of refused rows, one JSON object a line. */
export class RejectsFile {
  private constructor(
    private readonly handle: FileHandle,
    private position: number,
  ) {}

  /**
   * Opens a file to continue after the part that belongs to finished batches; the rest is removed.
   *
   * @param size bytes that belong to it
   */
  static async open(path: string, size: number): Promise<RejectsFile> {
    const handle = await open(path, size === 0 ? 'w' : 'a+', 0o600);
    await handle.close();
    const file = await open(path, 'r+');
    const position = Math.min(size, (await file.stat()).size);
    await file.truncate(position);
    return new RejectsFile(file, position);
  }

  /** Size in bytes so far. */
  get size(): number {
    return this.position;
  }

  async append(refusals: readonly Refusal[]): Promise<void> {
    const bytes = Buffer.from(refusals.map((refusal) => `${JSON.stringify(refusal)}\n`).join(''));
    await this.handle.write(bytes, 0, bytes.length, this.position);
    this.position += bytes.length;
  }

  /** Removes what was appended beyond an earlier size. */
  async shrinkTo(size: number): Promise<void> {
    await this.handle.truncate(size);
    this.position = size;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}
