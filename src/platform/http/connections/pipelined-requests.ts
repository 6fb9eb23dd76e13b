import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasEnded } from '../exchange/end-together';

/** Limits of what pipelined requests may cost. */
export interface PipelineLimits {
  /** Waiting requests from which on a connection is not read. */
  readonly readAhead: number;
  /** Most requests that may wait in this process; beyond that the connection with the most of them is cut. */
  readonly maxWaiting: number;
  /** Most bytes of them; beyond that the connection with the most bytes is cut. */
  readonly maxBytes: number;
}

/**
 * Limits in force. The bytes read before a connection is paused may hold 2,500 requests: 64 KiB of the shortest there are. Each
 * takes about 5 kB while it waits, and its bytes: eight of the longest have 128 kB.
 */
export const PIPELINE_LIMITS: PipelineLimits = {
  readAhead: 8,
  maxWaiting: 10_000,
  maxBytes: 32 * 1024 * 1024,
};

/** Most bytes of a body that are read ahead: as many as arrive at once. */
const MOST_OF_BODY = 64 * 1024;

/** Time for which a connection that was not read is excused after its last waiting request, in milliseconds. */
const CATCH_UP_MS = 1_000;

/** A connection with requests that wait. */
interface Pipeline {
  waiting: number;
  /** Bytes of the requests that wait. */
  bytes: number;
  /** True if the connection was not read for a while. */
  wasHeld: boolean;
  /** Reports an excused request as late. */
  excused?: (() => void) | undefined;
}

/**
 * Serves the requests of a connection one after the other: the next begins when the response before it has been handed to
 * the system. Node itself hands out every request that it reads, and holds their responses back until it is their turn.
 */
export class PipelinedRequests {
  private readonly pipelines = new Map<Socket, Pipeline>();
  private waiting = 0;
  private bytes = 0;

  /** @param server one that `attachWireErrors` was called with */
  constructor(
    private readonly server: Server,
    private readonly limits: PipelineLimits,
  ) {
    server.on('connection', (socket: Socket) => {
      // Node resumes a connection whenever a response or a body ends.
      socket.on('resume', () => this.isHeld(socket) && socket.pause());
    });
  }

  /** Requests that have arrived and wait for the response before them. */
  get count(): number {
    return this.waiting;
  }

  /**
   * Does the work of a request when the response before it is over. Drops a request whose client has gone by then.
   *
   * @param previous the response to the request before it on this connection, which is under way
   */
  defer(
    request: IncomingMessage,
    response: ServerResponse,
    previous: ServerResponse,
    work: () => void,
  ): void {
    const { socket } = request;
    const bytes = sizeOf(request);
    const pipeline = this.enter(socket, bytes);
    // Not in the context of the request before it.
    const start = AsyncResource.bind(() => {
      this.leave(socket, pipeline, bytes);
      // A request that is refused by its first bytes has its response already.
      if (hasEnded(response)) return;
      if (socket.writable) work();
      else response.destroy();
    });
    previous.once('close', start);
    if (this.waiting > this.limits.maxWaiting) this.cutMost('waiting');
    if (this.bytes > this.limits.maxBytes) this.cutMost('bytes');
  }

  /**
   * Excuses a request that Node calls late while others of its connection wait: until then the connection may not have been
   * read. The request gets the whole time again once no other waits.
   *
   * @param report called at the end of that time
   * @returns true if it is excused
   */
  excuses(socket: Socket, report: () => void): boolean {
    const pipeline = this.pipelines.get(socket);
    if (pipeline) pipeline.excused = report;
    return pipeline !== undefined;
  }

  private isHeld(socket: Socket): boolean {
    return (this.pipelines.get(socket)?.waiting ?? 0) >= this.limits.readAhead && socket.writable;
  }

  private enter(socket: Socket, bytes: number): Pipeline {
    const known = this.pipelines.get(socket);
    const pipeline = known ?? { waiting: 0, bytes: 0, wasHeld: false };
    if (!known) this.pipelines.set(socket, pipeline);
    pipeline.waiting += 1;
    pipeline.bytes += bytes;
    this.waiting += 1;
    this.bytes += bytes;
    if (pipeline.waiting === this.limits.readAhead) {
      pipeline.wasHeld = true;
      socket.pause();
    }
    return pipeline;
  }

  private leave(socket: Socket, pipeline: Pipeline, bytes: number): void {
    this.waiting -= 1;
    this.bytes -= bytes;
    pipeline.waiting -= 1;
    pipeline.bytes -= bytes;
    if (pipeline.waiting === this.limits.readAhead - 1) socket.resume();
    if (pipeline.waiting > 0) return;
    if (!pipeline.wasHeld && !pipeline.excused) this.pipelines.delete(socket);
    // The unread rest is late by the clock before it is read.
    else setTimeout(() => this.forget(socket, pipeline), CATCH_UP_MS).unref();
  }

  private forget(socket: Socket, { waiting, excused }: Pipeline): void {
    if (waiting > 0 || !this.pipelines.delete(socket) || !excused || socket.destroyed) return;
    const timer = setTimeout(excused, this.server.requestTimeout).unref();
    socket.once('close', () => clearTimeout(timer));
  }

  private cutMost(of: 'waiting' | 'bytes'): void {
    let greediest: Socket | undefined;
    let most = 0;
    for (const [socket, pipeline] of this.pipelines) {
      if (pipeline[of] <= most) continue;
      most = pipeline[of];
      greediest = socket;
    }
    greediest?.resetAndDestroy();
  }
}

/**
 * Returns the bytes that a request takes while it waits: its target and header fields, and as much of its body as is read
 * ahead.
 */
function sizeOf({ url = '', rawHeaders, headers }: IncomingMessage): number {
  const fields = rawHeaders.reduce((sum, { length }) => sum + length, url.length);
  const body =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : MOST_OF_BODY;
  return fields + Math.min(body, MOST_OF_BODY);
}
