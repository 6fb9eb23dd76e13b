import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from 'express';

/** Makes a response that is not sent, for work that a connection asks for in another way than HTTP. */
export function unsentResponse(request: IncomingMessage): Response {
  return new ServerResponse(request) as Response;
}
