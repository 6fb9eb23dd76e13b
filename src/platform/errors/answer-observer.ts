import type { IncomingMessage, ServerResponse } from 'node:http';

/** Is told of every request, also of those that no handler sees. */
export interface AnswerObserver {
  /** A request has arrived; its response emits `close` when it has been answered or its connection is lost. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Something that is no request Node could make a response for was answered. */
  refuse(status: number, requestId: string): void;
}
