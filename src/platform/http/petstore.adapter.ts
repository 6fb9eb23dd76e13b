import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Request, type Response } from 'express';
import { type Server, createServer } from 'node:http';
import type { AnswerObserver } from '../errors/answer-observer';
import { attachWireErrors } from '../errors/wire-errors';
import { type ArrivalTimeouts, serverOptions } from '../errors/server-options';
import type { AnswerWriter } from './answer-writer';
import { OpenConnections } from './open-connections';

/** How long a stop waits for requests under way, in milliseconds; less where a request may take less to arrive. */
const STOP_GRACE_MS = 10_000;

/** Express as this service needs it: strict routes, no header about itself, answers by the {@link AnswerWriter}. */
export class PetstoreAdapter extends ExpressAdapter {
  private answers: AnswerWriter | undefined;
  private allow = '';
  private observer: AnswerObserver | undefined;
  private connections: OpenConnections | undefined;

  constructor(private readonly timeouts: ArrivalTimeouts) {
    // These hold only when set before Nest takes the instance.
    const instance = express();
    instance.set('case sensitive routing', true);
    instance.set('strict routing', true);
    instance.disable('x-powered-by');
    instance.set('etag', false);
    // The query has been read, strictly, before any handler looks at it.
    Object.defineProperty(instance.request, 'query', {
      get(this: Request) {
        return this.parameters;
      },
    });
    super(instance);
  }

  override initHttpServer(): void {
    const server: Server = createServer(serverOptions(this.timeouts), this.getInstance());
    attachWireErrors(server, () => this.allow, {
      begin: (request, response) => this.observer?.begin(request, response),
      refuse: (status, requestId) => this.observer?.refuse(status, requestId),
    });
    this.connections = new OpenConnections(server);
    this.setHttpServer(server);
  }

  /** Takes no more requests, answers those under way, and resolves when every connection has ended. */
  override close(): Promise<unknown> | undefined {
    const closed = super.close();
    this.connections?.end(Math.min(this.timeouts.requestMs, STOP_GRACE_MS));
    return closed;
  }

  /** Answers of operations that declare one go through the writer from now on. */
  answerWith(answers: AnswerWriter): void {
    this.answers = answers;
  }

  /** Who is told of every answer from now on. */
  observeWith(observer: AnswerObserver): void {
    this.observer = observer;
  }

  /** Value of the Allow header where no path is concerned. */
  allowAnywhere(allow: string): void {
    this.allow = allow;
  }

  override reply(response: Response, body: unknown, statusCode?: number): void {
    const { operation } = response.req;
    if (this.answers?.handles(operation)) this.answers.write(response.req, response, operation, body);
    else super.reply(response, body, statusCode);
  }
}
