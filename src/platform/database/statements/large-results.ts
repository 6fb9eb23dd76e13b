import type { Duplex } from 'node:stream';

/**
 * Has one large result read at a time: the connections of the others are paused meanwhile, and their server waits. So what has
 * been read and is not handed over yet is bounded, however many are asked for at once.
 */
export class LargeResults {
  /** Connections that send one; the first is read. */
  private readonly streams: Duplex[] = [];

  /** Has a connection wait until it is its turn. */
  enter(stream: Duplex): void {
    this.streams.push(stream);
    stream.once('close', () => this.leave(stream));
    if (this.streams.length > 1) stream.pause();
  }

  /** To be called when the result of a connection has been read, or will not be. */
  leave(stream: Duplex): void {
    const place = this.streams.indexOf(stream);
    if (place === -1) return;
    this.streams.splice(place, 1);
    stream.resume();
    this.streams[0]?.resume();
  }
}
