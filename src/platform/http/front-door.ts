import { ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, Request, Response } from 'express';
import type { ResponseObserver } from './observers/response-observer';
import { MethodNotAllowedError } from '../errors/http-errors';
import { attachWireErrors } from './connections/wire-errors';
import type { Listener } from './operations/listener';
import { ManagementTelemetry } from './observers/management-telemetry';
import { RequestTelemetry } from './observers/request-telemetry';
import { KEPT_FOR_HEALTH, PetstoreAdapter } from './adapter';
import { Exchange } from './exchange/exchange';
import { RequestLifecycle } from './lifecycle/request-lifecycle';
import { OpenConnections } from './connections/open-connections';
import { PIPELINE_LIMITS, PipelinedRequests } from './connections/pipelined-requests';
import { Routes } from './routes';
import { stoppingError } from './service-state';
import { STOP_GRACE_MS } from './connections/stop-limits';
import { Metrics } from '../telemetry/metrics';
import { UnreadResponses } from './connections/unread-responses';

/** Grace of requests on the management port, in milliseconds; its clients ask for data at hand. */
const MANAGEMENT_GRACE_MS = 1_000;

/**
 * Entrance of all requests: the two listeners, their connections, and the part of HTTP that comes before there is a request.
 */
@Injectable()
export class FrontDoor implements OnModuleInit, BeforeApplicationShutdown {
  private connections: Readonly<Record<Listener, OpenConnections>> | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost<PetstoreAdapter>,
    private readonly lifecycle: RequestLifecycle,
    private readonly routes: Routes,
    private readonly telemetry: RequestTelemetry,
    private readonly managementTelemetry: ManagementTelemetry,
    private readonly unread: UnreadResponses,
    private readonly metrics: Metrics,
  ) {}

  /** @throws Error when another adapter would serve the routes to everyone */
  onModuleInit(): void {
    const adapter: unknown = this.adapterHost.httpAdapter;
    // Commands have none.
    if (!adapter || adapter instanceof PetstoreAdapter) return;
    throw new Error(
      `Routes are served by the adapter of this service, not by ${adapter.constructor.name}: create the application with createApp(), or in a test with startTestService().`,
    );
  }

  /**
   * Serves the requests of both servers from now on. To be called once Nest has registered all routes.
   *
   * @throws Error naming what cannot be served
   */
  open(): void {
    this.lifecycle.prepare();
    countUnread(this.adapterHost.httpAdapter.getInstance<Express>().response, this.unread);
    this.connections = {
      public: this.serve('public', this.telemetry),
      management: this.serve('management', this.managementTelemetry),
    };
  }

  /** Goes on serving, and lets clients connect elsewhere next (see {@link OpenConnections}). */
  leave(): void {
    this.connections?.public.leave();
  }

  /**
   * Takes no more requests of clients, finishes those under way, and resolves when each of their connections has ended. The
   * management port goes on, so that operators can see the service drain.
   *
   * @returns the number of requests cut off because they took longer than the grace of 20 seconds
   */
  async drain(): Promise<number> {
    return (await this.connections?.public.drain(STOP_GRACE_MS)) ?? 0;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.drain();
    await this.drainManagement();
  }

  /** The same for the management port. */
  async drainManagement(graceMs = MANAGEMENT_GRACE_MS): Promise<void> {
    await this.connections?.management.drain(graceMs);
  }

  private serve(listener: Listener, observer: ResponseObserver): OpenConnections {
    const adapter = this.adapterHost.httpAdapter;
    const server = adapter.serverOf(listener);
    const connections = new OpenConnections(server, listener === 'management' ? KEPT_FOR_HEALTH : 0);
    const pipelined = new PipelinedRequests(server, PIPELINE_LIMITS);
    this.unread.watch(server);
    if (listener === 'public') server.on('drop', () => this.metrics.requestsShed.add('connections'));
    const refuseConnect = () =>
      connections.isDraining
        ? stoppingError()
        : new MethodNotAllowedError({ headers: { Allow: this.routes.of(listener).allowAnywhere } });
    const observe: ResponseObserver = {
      begin: (request, response, previous) => {
        const exchange = new Exchange(listener, request as Request, response as Response);
        (request as Request).exchange = exchange;
        if (previous?.writableFinished === false) exchange.previous = previous as Response;
        connections.begin(request, response, previous);
        observer.begin(request, response, previous);
        // Node does not, of a request without a body (see `serverOptions`); handlers learn by it that their client has left.
        if (request.closed) response.on('close', () => request.emit('close'));
      },
      refuse: (error, requestId, address) => observer.refuse(error, requestId, address),
    };
    attachWireErrors(server, refuseConnect, observe, pipelined);
    const serve = (request: Request, response: Response) =>
      adapter.runMiddleware(request, response, (error) => this.lifecycle.run(request.exchange, error));
    adapter.receive(listener, (request, response) => {
      const { exchange } = request;
      const { previous } = exchange;
      if (!previous) return serve(request, response);
      // Each would hold the one before it otherwise.
      exchange.previous = undefined;
      pipelined.defer(request, response, previous, () => {
        exchange.servedAt = performance.now();
        serve(request, response);
      });
    });
    return connections;
  }
}

/** Counts the unread bytes of every response. All responses of the application end in the same method, whatever makes them. */
function countUnread(prototype: Response, unread: UnreadResponses): void {
  Object.defineProperty(prototype, 'end', {
    value(this: Response, ...parameters: Parameters<Response['end']>): Response {
      const isFirst = !this.writableEnded;
      ServerResponse.prototype.end.apply(this, parameters);
      if (isFirst) unread.add(this);
      return this;
    },
  });
}
