import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { type IncomingMessage, type Server, ServerResponse, createServer } from 'node:http';
import type { Settings } from '../config/settings';
import type { AnswerObserver } from '../errors/answer-observer';
import { MethodNotAllowedError } from '../errors/http-errors';
import { attachWireErrors } from '../errors/wire-errors';
import { type ArrivalTimeouts, serverOptions } from '../errors/server-options';
import type { Listener } from '../management/listener';
import type { AnswerWriter } from './answer-writer';
import { ComposedAnswer } from './composed-answer';
import { stoppingError } from './lifecycle';
import { OpenConnections } from './open-connections';
import { STOP_GRACE_MS } from './stop-limits';
import type { UnreadResponses } from './unread-responses';

/** The same for the management port, whose clients ask for what is at hand. */
const MANAGEMENT_GRACE_MS = 1_000;

/**
 * Most connections the management port takes; more are closed at once. A scraper and some probes need a few, and whoever
 * opens many must not take the file descriptors of the public port.
 */
export const MANAGEMENT_CONNECTIONS = 100;

/** What one port is made of. */
interface Port {
  readonly server: Server;
  readonly connections: OpenConnections;
}

/**
 * Express as this service needs it: strict routes, no header about itself, answers by the {@link AnswerWriter}. Two
 * servers lead to it, one a port.
 */
export class PetstoreAdapter extends ExpressAdapter {
  private answers: AnswerWriter | undefined;
  private readonly allow: Record<Listener, string> = { public: '', management: '' };
  private observers: Readonly<Record<Listener, AnswerObserver>> | undefined;
  private ports: Readonly<Record<Listener, Port>> | undefined;

  /** @param trustProxy whose word is taken for the address of a client, as the setting TRUST_PROXY */
  constructor(
    private readonly timeouts: ArrivalTimeouts,
    trustProxy: Settings['trustProxy'],
  ) {
    // These hold only when set before Nest takes the instance.
    const instance = express();
    instance.set('case sensitive routing', true);
    instance.set('strict routing', true);
    instance.disable('x-powered-by');
    instance.set('etag', false);
    instance.set('trust proxy', trustProxy);
    // The query has been read, strictly, before any handler looks at it.
    Object.defineProperty(instance.request, 'query', {
      get(this: Request) {
        return this.parameters;
      },
    });
    super(instance);
  }

  override initHttpServer(): void {
    const management = this.createPort('management');
    // Unless it is dropped, workers that are full hand a connection on to each other without end.
    Object.assign(management.server, { maxConnections: MANAGEMENT_CONNECTIONS, dropMaxConnection: true });
    this.ports = { public: this.createPort('public'), management };
    this.setHttpServer(this.ports.public.server);
  }

  /** The server of the management port; that of the public one is the application's. */
  get managementServer(): Server {
    if (!this.ports) throw new Error('There is no server before the application is made.');
    return this.ports.management.server;
  }

  /** Goes on serving, and lets clients connect elsewhere next (see {@link OpenConnections}). */
  leave(): void {
    this.ports?.public.connections.leave();
  }

  /**
   * Takes no more requests of clients, finishes those under way, and resolves when each of their connections has ended.
   * The management port goes on: that the service drains can be seen there.
   *
   * @returns how many requests were cut off because they took longer than the grace of 20 seconds
   */
  async drain(): Promise<number> {
    return (await this.ports?.public.connections.drain(STOP_GRACE_MS)) ?? 0;
  }

  /** What Nest calls when the application is closed. */
  override async close(): Promise<void> {
    await this.drain();
    await this.ports?.management.connections.drain(MANAGEMENT_GRACE_MS);
  }

  /** Answers of operations that declare one go through the writer from now on. */
  answerWith(answers: AnswerWriter): void {
    this.answers = answers;
  }

  /** Who is told of every answer on a port from now on. */
  observeWith(observers: Readonly<Record<Listener, AnswerObserver>>): void {
    this.observers = observers;
  }

  /** Bounds from now on what clients of both ports leave unread. */
  limitUnread(unread: UnreadResponses): void {
    if (!this.ports) throw new Error('There is no server before the application is made.');
    unread.watch(this.ports.public.server);
    unread.watch(this.ports.management.server);
    // All responses of the application end here, whatever makes them.
    Object.defineProperty(this.getInstance<Express>().response, 'end', {
      value(this: Response, ...parameters: Parameters<Response['end']>): Response {
        const isFirst = !this.writableEnded;
        ServerResponse.prototype.end.apply(this, parameters);
        if (isFirst) unread.add(this);
        return this;
      },
    });
  }

  /** Value of the Allow header of a port where no path is concerned. */
  allowAnywhere(listener: Listener, allow: string): void {
    this.allow[listener] = allow;
  }

  override reply(response: Response, body: unknown, statusCode?: number): void {
    const { operation } = response.req;
    if (this.answers?.handles(operation)) this.answers.write(response.req, response, operation, body);
    else if (body instanceof ComposedAnswer) body.send(response.req, response);
    else super.reply(response, body, statusCode);
  }

  private createPort(listener: Listener): Port {
    const server = createServer(serverOptions(this.timeouts), this.getInstance());
    const connections = new OpenConnections(server);
    const refuseConnect = () =>
      connections.isDraining
        ? stoppingError()
        : new MethodNotAllowedError({ headers: { Allow: this.allow[listener] } });
    attachWireErrors(server, refuseConnect, {
      begin: (request: IncomingMessage & { listener?: Listener }, response, previous) => {
        request.listener = listener;
        connections.begin(request, response, previous);
        this.observers?.[listener].begin(request, response, previous);
      },
      refuse: (error, requestId) => this.observers?.[listener].refuse(error, requestId),
    });
    return { server, connections };
  }
}
