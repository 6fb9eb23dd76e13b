import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '../../errors/app-error';

/** Observer of every request, also of those that no handler sees. */
export interface ResponseObserver {
  /**
   * Notes that a request has arrived; its response emits `close` when it is complete or its connection is lost.
   *
   * @param previous the response to the request before it on this connection
   */
  begin(request: IncomingMessage, response: ServerResponse, previous: ServerResponse | undefined): void;
  /**
   * Notes a refusal of input that is no request Node could make a response for.
   *
   * @param address of the other end of the connection; null when it is gone
   */
  refuse(error: AppError, requestId: string, address: string | null): void;
}
