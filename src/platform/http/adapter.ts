import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type Server } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { json, type Express, type NextFunction, type Request, type Response } from 'express';
import type { Settings } from '../config/settings';
import { sendError } from './exchange/error-response';
import { InternalError } from '../errors/http-errors';
import { MiddlewarePaths } from './middleware-paths';
import { completePrototypes, messageClasses } from './express-messages';
import { serverOptions } from './connections/server-options';
import { type Listener, MANAGEMENT_PREFIX } from './operations/listener';
import { ComposedResponse } from './response/composed-response';
import { exactMember } from '../values/exact-json';
import { canonicalAddress } from '../security/client-address';
import { isHandshake } from './connections/open-connections';
import { inRequest } from '../tracing/request-context';
import type { RouteHandler } from './exchange/exchange';

/**
 * Most connections the management port takes; more are closed at once. A scraper and some probes need a few, and a client
 * that opens many must not take the file descriptors of the public port.
 */
export const MANAGEMENT_CONNECTIONS = 100;

/** Of these, the places where nothing but health is served: slow clients must not make a healthy process look dead. */
export const KEPT_FOR_HEALTH = 10;

/** A route as Nest has registered it. */
export interface RegisteredRoute {
  readonly listener: Listener;
  readonly method: string;
  /** Path template, `/v1/pets/:petId`. */
  readonly path: string;
  readonly handle: RouteHandler;
}

/** The settings that decide how requests are received. */
export type AdapterSettings = Pick<
  Settings,
  'requestTimeoutMs' | 'keepAliveTimeout' | 'maxConnections' | 'trustProxy'
>;

/**
 * Nest's adapter for Express, with routes found by this service: Nest registers them here, the lifecycle finds them in one
 * table, and Express's own router is not on the way of a request unless there is middleware. Handlers get Express's requests
 * and responses all the same; they are made so when they are created, not changed for each request.
 */
export class PetstoreAdapter extends ExpressAdapter {
  /** Routes in the order of their registration. */
  readonly registeredRoutes: RegisteredRoute[] = [];
  private readonly servers: Readonly<Record<Listener, Server>>;
  private readonly receivers: Record<Listener, Receiver> = { public: serveNobody, management: serveNobody };
  private hasMiddleware = false;
  private middleware = new MiddlewarePaths();
  /** Set in work whose middleware gets the bodies of its paths read. */
  private readonly mountingReaders = new AsyncLocalStorage<true>();

  constructor({ requestTimeoutMs, keepAliveTimeout, maxConnections, trustProxy }: AdapterSettings) {
    const instance = express();
    instance.disable('x-powered-by');
    instance.set('etag', false);
    instance.set('json replacer', exactMember);
    instance.set('trust proxy', trustProxy);
    const trusts = instance.get('trust proxy fn') as (address: string, hop: number) => boolean;
    // Express takes an address with a port for none, and so for that of the client.
    instance.set('trust proxy', (address: string, hop: number) =>
      trusts(canonicalAddress(address) ?? address, hop),
    );
    completePrototypes(instance);
    super(instance);
    this.noteMiddleware(instance);
    const options = {
      ...serverOptions({ headersMs: Math.ceil(requestTimeoutMs / 3), requestMs: requestTimeoutMs }),
      keepAliveTimeout,
      ...messageClasses(instance),
    };
    // Ahead of all other listeners, as in stock Nest: a gateway takes over those that it finds, and hands on what is not its own.
    const serve = (listener: Listener): Server => {
      const server: Server = createServer(
        { ...options, shouldUpgradeCallback: (request) => isHandshake(server, request) },
        (request, response) => this.receivers[listener](request as Request, response as Response),
      );
      return server;
    };
    this.servers = { public: serve('public'), management: serve('management') };
    this.servers.management.maxConnections = MANAGEMENT_CONNECTIONS;
    this.servers.public.maxConnections = maxConnections;
  }

  /** Serves the requests of a listener, in place of the receiver before. */
  receive(listener: Listener, receiver: Receiver): void {
    this.receivers[listener] = receiver;
  }

  /** The server of a listener; Nest calls that of the public one the application's. */
  serverOf(listener: Listener): Server {
    return this.servers[listener];
  }

  /** Runs the middleware of the application, if there is any, and then goes on. Middleware may respond by itself, as GraphQL's. */
  runMiddleware(request: Request, response: Response, next: NextFunction): void {
    const run = this.getInstance<Express>() as unknown as RouteHandler;
    if (this.hasMiddleware) inRequest(request, () => run(request, response, next));
    else next();
  }

  /** Mounts middleware that takes JSON bodies as read, as under stock Nest; any other reads those of its paths by itself. */
  mountWithJson<T>(mount: () => T): T {
    return this.mountingReaders.run(true, mount);
  }

  override initHttpServer(): void {
    this.setHttpServer(this.servers.public);
  }

  /** The front door has closed both servers by the time Nest calls this. */
  override close(): Promise<void> {
    return Promise.resolve();
  }

  override reply(response: Response, body: unknown, statusCode?: number): void {
    const { exchange } = response.req;
    exchange.timeline?.enter('response');
    if (body instanceof ComposedResponse) body.send(response.req, response);
    else if (exchange.endpoint?.respond) exchange.endpoint.respond(exchange, body);
    else {
      if (body instanceof StreamableFile) respondToFailure(body, response);
      super.reply(response, body, statusCode);
    }
  }

  // Requests without a route, and errors ahead of a handler, are the lifecycle's.
  override setNotFoundHandler(): void {}
  override setErrorHandler(): void {}

  /** Names the middleware that may hand something to the handler of a path. */
  middlewareFor(path: string): string[] {
    return this.middleware.for(path);
  }

  override enableCors(...parameters: Parameters<ExpressAdapter['enableCors']>): void {
    this.unnoted(() => super.enableCors(...parameters));
  }

  override registerSecurityHook(...parameters: Parameters<ExpressAdapter['registerSecurityHook']>): void {
    this.unnoted(() => super.registerSecurityHook(...parameters));
  }

  override createMiddlewareFactory(...parameters: Parameters<ExpressAdapter['createMiddlewareFactory']>) {
    this.hasMiddleware = true;
    const bind = super.createMiddlewareFactory(...parameters);
    return (path: string, callback: unknown) => {
      this.middleware.note([path], `middleware of ${path}`);
      this.unnoted(() => bind(path, callback as RouteHandler));
    };
  }

  override setOnRequestHook(...parameters: Parameters<ExpressAdapter['setOnRequestHook']>): void {
    this.hasMiddleware = true;
    this.middleware.note([], 'a request hook');
    super.setOnRequestHook(...parameters);
  }

  override setOnResponseHook(...parameters: Parameters<ExpressAdapter['setOnResponseHook']>): void {
    this.hasMiddleware = true;
    super.setOnResponseHook(...parameters);
  }

  override get(...route: unknown[]): void {
    this.register('GET', route);
  }

  override head(...route: unknown[]): void {
    this.register('HEAD', route);
  }

  override post(...route: unknown[]): void {
    this.register('POST', route);
  }

  override put(...route: unknown[]): void {
    this.register('PUT', route);
  }

  override patch(...route: unknown[]): void {
    this.register('PATCH', route);
  }

  override delete(...route: unknown[]): void {
    this.register('DELETE', route);
  }

  override options(...route: unknown[]): void {
    this.register('OPTIONS', route);
  }

  override query(...route: unknown[]): void {
    this.register('QUERY', route);
  }

  override search(...route: unknown[]): void {
    this.register('SEARCH', route);
  }

  override propfind(...route: unknown[]): void {
    this.register('PROPFIND', route);
  }

  override proppatch(...route: unknown[]): void {
    this.register('PROPPATCH', route);
  }

  override mkcol(...route: unknown[]): void {
    this.register('MKCOL', route);
  }

  override copy(...route: unknown[]): void {
    this.register('COPY', route);
  }

  override move(...route: unknown[]): void {
    this.register('MOVE', route);
  }

  override lock(...route: unknown[]): void {
    this.register('LOCK', route);
  }

  override unlock(...route: unknown[]): void {
    this.register('UNLOCK', route);
  }

  override all(...route: unknown[]): void {
    this.register('ALL', route);
  }

  /** Notes what is used on the instance itself, too, as drivers of GraphQL do. */
  private noteMiddleware(instance: Express): void {
    const use = instance.use.bind(instance) as (...parameters: unknown[]) => Express;
    instance.use = ((...parameters: unknown[]) => {
      this.hasMiddleware = true;
      this.middleware.note(parameters);
      const [path] = parameters;
      if (this.mountingReaders.getStore() && typeof path === 'string') use(path, this.jsonFor(path));
      return use(...parameters);
    }) as Express['use'];
  }

  /** Reads the JSON bodies of a path, unless routes share it: the lifecycle reads those of routes. */
  private jsonFor(path: string): RouteHandler {
    const read = json();
    const mounted = new MiddlewarePaths();
    mounted.note([path]);
    let isApart: boolean | undefined;
    return (request, response, next) => {
      isApart ??= this.registeredRoutes.every((route) => mounted.for(route.path).length === 0);
      if (isApart) read(request, response, next);
      else next();
    };
  }

  /** Registers middleware that hands nothing to handlers. */
  private unnoted(register: () => unknown): void {
    const { middleware } = this;
    this.middleware = new MiddlewarePaths();
    register();
    this.middleware = middleware;
  }

  private register(method: string, [path, handle]: unknown[]): void {
    const isManagement = (path as string).startsWith(`${MANAGEMENT_PREFIX}/`);
    this.registeredRoutes.push({
      listener: isManagement ? 'management' : 'public',
      method,
      path: isManagement ? (path as string).slice(MANAGEMENT_PREFIX.length) : (path as string),
      handle: handle as RouteHandler,
    });
  }
}

/** Serves requests of one listener. */
type Receiver = (request: Request, response: Response) => void;

/** No server listens before there is a receiver. */
function serveNobody(): void {}

/** Nest's own handler responds with 400 and a text; one that the author has set stays. */
function respondToFailure(file: StreamableFile, response: Response): void {
  if (file.errorHandler.name !== 'handleError') return;
  file.setErrorHandler((error) => {
    file.errorLogger(error);
    sendError(response.req, response, new InternalError());
  });
}
