import type { Duplex } from 'node:stream';

/**
 * Lets one large result be read at a time: the connections of the others are paused meanwhile, and their server waits. That
 * bounds the data that have been read and not handed over yet, however many results are asked for at once.
 */
export class LargeResults {
  /** Connections that send one; the first is read. */
  private readonly streams: Duplex[] = [];

  /** Lets a connection wait for its turn. */
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
