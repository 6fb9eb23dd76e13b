import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** Most responses that wait for each other: the first of them is not to wait for long. */
const MOST = 32;

/** A response whose end has been called for, and what it ends with. */
interface Ending {
  readonly response: ServerResponse;
  readonly body: string | Buffer | undefined;
  /** The context of its request. */
  readonly context: AsyncResource;
}

const isEnding = Symbol('isEnding');
let waiting: Ending[] = [];

/**
 * Ends a response whose header fields have been written, together with those of other requests that the event loop has at hand.
 * One by one, each would wake its client up before the next is made, which costs the process more than to make it.
 */
export function endTogether(response: ServerResponse & { [isEnding]?: true }, body?: string | Buffer): void {
  response[isEnding] = true;
  const count = waiting.push({ response, body, context: new AsyncResource('EndedResponse') });
  if (count === 1) setImmediate(endAll);
  else if (count === MOST) endAll();
}

/** Tells whether a response has ended, or will within this turn of the event loop. */
export function hasEnded(response: ServerResponse & { [isEnding]?: true }): boolean {
  return response.writableEnded || response[isEnding] === true;
}

function endAll(): void {
  const endings = waiting;
  waiting = [];
  for (const { response, body, context } of endings) context.runInAsyncScope(end, undefined, response, body);
}

function end(response: ServerResponse, body: string | Buffer | undefined): void {
  response.end(body);
}
