import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Settings } from '../config/settings';
import { SETTINGS } from '../config/settings.module';
import { ErrorFilter } from '../errors/error.filter';
import { MethodNotAllowedError, NotFoundError } from '../errors/http-errors';
import { wireFault } from '../errors/wire-errors';
import { assertAllowedHost } from '../management/allowed-host';
import type { Listener } from '../management/listener';
import { MANAGEMENT_PREFIX } from '../management/on-management-port.decorator';
import { RateLimits } from '../rate-limit/rate-limits';
import { covers } from '../security/principal';
import { Metrics } from '../telemetry/metrics';
import { RequestAuthenticator } from '../security/request-authenticator';
import { insufficientScope } from '../security/security-errors';
import { assertAcceptsJson } from './accept';
import { AnswerWriter } from './answer-writer';
import { receiveBody } from './body-reader';
import { Deprecations } from './deprecations';
import { Idempotency } from './idempotency/idempotency';
import { readIdempotencyKey } from './idempotency/idempotency-key';
import { readJson } from './json-reader';
import type { Operation } from './operation';
import { stoppingError } from './lifecycle';
import { isLate } from './open-connections';
import { OperationRegistry } from './operation-registry';
import { OperationUses } from './operation-uses';
import { readQuery } from './query-reader';
import { inRequest } from './request-context';
import { readTarget } from './request-target';
import { requestIdOf } from './request-id';
import { RouteTable } from './routes';

/**
 * Everything a request goes through before its handler, in the order it is judged. Ahead of Express's router, because a
 * wrong method has to be told from a wrong path, and a request without a valid key must not have its body read.
 */
@Injectable()
export class RequestPath {
  private readonly routes: Readonly<Record<Listener, RouteTable>>;
  private readonly deprecations: Deprecations;

  constructor(
    registry: OperationRegistry,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly authenticator: RequestAuthenticator,
    private readonly limits: RateLimits,
    private readonly uses: OperationUses,
    private readonly errors: ErrorFilter,
    private readonly answers: AnswerWriter,
    private readonly idempotency: Idempotency,
    private readonly metrics: Metrics,
  ) {
    this.routes = {
      public: new RouteTable(registry.of('public')),
      management: new RouteTable(registry.of('management')),
    };
    // A series that is there before its first use shows that use; one that begins with it does not.
    for (const { id, deprecation } of registry.of('public')) {
      if (deprecation) metrics.deprecatedUses.inc({ operation: id }, 0);
    }
    this.deprecations = new Deprecations(settings.deprecatedOperations, settings.publicBaseUrl);
  }

  /** Value of the Allow header of a port where no path is concerned. */
  allowAnywhere(listener: Listener): string {
    return this.routes[listener].allowAnywhere;
  }

  /** The Express middleware. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): Promise<void> =>
    inRequest(request, () => this.goThrough(request, response, next));

  private async goThrough(request: Request, response: Response, next: NextFunction): Promise<void> {
    let operation: Operation | undefined;
    try {
      operation = await this.admit(request, response);
    } catch (error) {
      this.errors.answer(error, request, response);
      return;
    }
    if (!operation) return;
    if (operation.listener === 'management') request.url = `${MANAGEMENT_PREFIX}${request.url}`;
    this.idempotency.goOn(request, operation, next);
  }

  /** @returns the operation to run; undefined when the request has been answered */
  private async admit(request: Request, response: Response): Promise<Operation | undefined> {
    const fault = wireFault(request);
    if (fault) throw fault;
    if (isLate(request)) {
      // Not thrown: coming late is no fault to log.
      this.errors.tell(stoppingError(), request, response);
      return undefined;
    }

    const { path, query } = readTarget(request);
    if (request.listener === 'management') assertAllowedHost(request, this.settings);
    const operation = this.locate(request, response, path);
    if (!operation) return undefined;
    request.operation = operation;

    if (!operation.isPublic) {
      const found = this.authenticator.authenticate(request);
      const principal = found instanceof Promise ? await found : found;
      request.principal = principal;
      if (this.limits.isOn) {
        const fields = await this.limits.count(operation, principal);
        request.answerFields = request.answerFields ? { ...request.answerFields, ...fields } : fields;
      }
      if (!covers(principal, operation.scopes)) throw insufficientScope(operation.scopes);
      if (operation.listener === 'public') this.uses.count(principal.keyId, operation.id);
      if (operation.deprecation) this.judgeDeprecated(operation);
    }

    if (!operation.answer) {
      // Whoever writes the answer by itself does not look there.
      if (request.answerFields) response.setHeaders(new Map(Object.entries(request.answerFields)));
      // Pages and probes answer anybody who asks, whatever they append.
      return operation;
    }
    assertAcceptsJson(request);
    if (isChange(operation)) request.precondition = this.answers.preconditionOf(request, operation);
    if (operation.hasBody) {
      const bytes = await receiveBody(request, response);
      request.body = readJson(bytes);
      if (operation.isIdempotent) request.bodyBytes = bytes;
    }
    request.parameters = readQuery(query, operation.parameterNames);
    if (operation.isIdempotent) request.idempotencyKey = readIdempotencyKey(request);
    return operation.answersFromDatabase && this.answers.repeat(request, response) ? undefined : operation;
  }

  private locate(request: Request, response: Response, path: string): Operation | undefined {
    const { method } = request;
    const routes = this.routes[request.listener];
    if (path === '*' && method === 'OPTIONS') {
      answerOptions(request, response, routes.allowAnywhere);
      return undefined;
    }
    const route = routes.find(path);
    if (!route) throw new NotFoundError();
    const announcement = this.deprecations.announcementOf(route);
    if (announcement) request.answerFields = announcement;
    const operation = route.operations.get(method);
    if (operation) return operation;
    if (method !== 'OPTIONS') throw new MethodNotAllowedError({ headers: { Allow: route.allow } });
    answerOptions(request, response, route.allow);
    return undefined;
  }

  private judgeDeprecated(operation: Operation): void {
    this.metrics.deprecatedUses.inc({ operation: operation.id });
    this.deprecations.assertServed(operation, new Date());
  }
}

function answerOptions(request: Request, response: Response, allow: string): void {
  const fields = { ...request.answerFields, 'X-Request-Id': requestIdOf(request), Allow: allow };
  response.writeHead(204, fields).end();
}

/** Whether it changes a resource that is there. */
function isChange({ method }: Operation): boolean {
  return method === 'PATCH' || method === 'PUT' || method === 'DELETE';
}
