import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Request, type Response } from 'express';
import { type Server, createServer } from 'node:http';
import type { AnswerObserver } from '../errors/answer-observer';
import { MethodNotAllowedError } from '../errors/http-errors';
import { attachWireErrors } from '../errors/wire-errors';
import { type ArrivalTimeouts, serverOptions } from '../errors/server-options';
import type { AnswerWriter } from './answer-writer';
import { stoppingError } from './lifecycle';
import { OpenConnections } from './open-connections';

/** How long a stop waits for the requests under way, in milliseconds. */
export const STOP_GRACE_MS = 20_000;

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
    const connections = new OpenConnections(server);
    const refuseConnect = () =>
      connections.isDraining
        ? stoppingError()
        : new MethodNotAllowedError({ headers: { Allow: this.allow } });
    attachWireErrors(server, refuseConnect, {
      begin: (request, response, previous) => {
        connections.begin(request, response, previous);
        this.observer?.begin(request, response, previous);
      },
      refuse: (status, requestId) => this.observer?.refuse(status, requestId),
    });
    this.connections = connections;
    this.setHttpServer(server);
  }

  /** Goes on serving, and lets clients connect elsewhere next (see {@link OpenConnections}). */
  leave(): void {
    this.connections?.leave();
  }

  /**
   * Takes no more requests, finishes those under way, and resolves when every connection has ended.
   *
   * @returns how many requests were cut off because they took longer than the grace of 20 seconds
   */
  async drain(): Promise<number> {
    return (await this.connections?.drain(STOP_GRACE_MS)) ?? 0;
  }

  /** What Nest calls when the application is closed. */
  override async close(): Promise<void> {
    await this.drain();
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
