import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { MethodNotAllowedError, NotFoundError } from '../../errors/http-errors';
import { Deprecations } from '../../deprecation/deprecations';
import type { Exchange } from '../exchange/exchange';
import { requestIdOf } from '../../tracing/request-id';
import { ServiceAddress } from '../../values/service-address';
import { Routes } from '../routes';
import type { Step } from './step';

/** Finds the endpoint of a request by its path and method, and responds to OPTIONS. */
@Injectable()
export class RouteStep implements Step {
  constructor(
    private readonly routes: Routes,
    private readonly deprecations: Deprecations,
    private readonly address: ServiceAddress,
  ) {}

  run(exchange: Exchange): void {
    const { request, path } = exchange;
    const { method } = request;
    const table = this.routes.of(exchange.listener);
    if (path === '*' && method === 'OPTIONS') return respondToOptions(exchange, table.allowAnywhere);
    const found = table.find(path);
    if (!found) return respondToUnknown(exchange, `${this.address.prefix}/docs`);
    const { route, params } = found;
    exchange.responseFields = this.deprecations.announcementOf(route);
    const endpoint = route.endpoints.get(method);
    if (endpoint) {
      exchange.endpoint = endpoint;
      request.params = params as Request['params'];
      return;
    }
    if (method !== 'OPTIONS') throw new MethodNotAllowedError({ headers: { Allow: route.allow } });
    respondToOptions(exchange, route.allow);
  }
}

/**
 * Leads a browser that opens the public root to the docs; for programs the root is as unknown as any other unknown path.
 *
 * @throws NotFoundError
 */
function respondToUnknown({ request, response, listener, path }: Exchange, docs: string): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (listener !== 'public' || path !== '/' || !isRead) throw new NotFoundError();
  response.vary('Accept');
  if (!request.accepts().some((type) => type.toLowerCase() === 'text/html')) throw new NotFoundError();
  const fields = {
    Location: docs,
    'X-Request-Id': requestIdOf(request),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': 0,
  };
  response.writeHead(303, fields).end();
}

function respondToOptions({ request, response, responseFields }: Exchange, allow: string): void {
  const fields = { ...responseFields, 'X-Request-Id': requestIdOf(request), Allow: allow };
  response.writeHead(204, fields).end();
}
