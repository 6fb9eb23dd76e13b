import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AppError } from '../../errors/app-error';
import { ErrorFilter } from '../response/error.filter';
import { NotFoundError } from '../../errors/http-errors';
import type { Endpoint, Exchange } from '../exchange/exchange';
import { isLate } from '../connections/open-connections';
import { inRequest } from '../../tracing/request-context';
import { requestIdOf } from '../../tracing/request-id';
import { Routes } from '../routes';
import type { Step } from './step';
import { ARRIVAL_STEPS, OPERATION_STEPS } from './steps';

/** A step, and its phase in a timeline. */
interface NamedStep {
  readonly step: Step;
  readonly phase: string;
}

/** Takes requests through the steps of `steps.ts`, and hands the remaining ones to Nest. */
@Injectable()
export class RequestLifecycle {
  private arrival: readonly NamedStep[] = [];
  private readonly stepsOf = new Map<Endpoint, readonly NamedStep[]>();

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly routes: Routes,
    private readonly errors: ErrorFilter,
  ) {}

  /** Works out the steps of every operation, once Nest has registered all routes. */
  prepare(): void {
    const named = (step: Type<Step>) => ({ step: this.moduleRef.get<Step>(step), phase: phaseOf(step) });
    this.arrival = ARRIVAL_STEPS.map(named);
    const steps = OPERATION_STEPS.map(named);
    for (const listener of ['public', 'management'] as const) {
      for (const endpoint of this.routes.of(listener).endpoints) {
        const { operation } = endpoint;
        this.stepsOf.set(
          endpoint,
          steps.filter(({ step }) => step.appliesTo?.(operation) ?? true),
        );
      }
    }
  }

  /** @param error what the middleware ahead of the lifecycle has failed with; Express says null when it has not */
  run(exchange: Exchange, error?: unknown): void {
    const begin = () => {
      if (error !== undefined && error !== null) this.refuse(exchange, error);
      else this.runSteps(exchange, this.arrival, 0);
    };
    inRequest(exchange.request, begin, exchange.timeline);
  }

  private runSteps(exchange: Exchange, steps: readonly NamedStep[], from: number): void {
    try {
      for (let index = from; index < steps.length; index++) {
        const { step, phase } = steps[index] as NamedStep;
        exchange.timeline?.enter(phase);
        const pending = step.run(exchange);
        if (pending) {
          exchange.timeline?.wait(phase);
          pending.then(
            () => this.resume(exchange, steps, index + 1),
            (error: unknown) => this.refuse(exchange, error),
          );
          return;
        }
        if (exchange.response.headersSent) return;
      }
    } catch (error) {
      this.refuse(exchange, error);
      return;
    }
    const { endpoint } = exchange as { endpoint: Endpoint };
    if (steps === this.arrival)
      this.runSteps(exchange, this.stepsOf.get(endpoint) as readonly NamedStep[], 0);
    else this.handToNest(exchange, endpoint);
  }

  /** Goes on after a step that took a while, unless that has written the response or the client has gone meanwhile. */
  private resume(exchange: Exchange, steps: readonly NamedStep[], from: number): void {
    exchange.timeline?.resume();
    const { response, attempt } = exchange;
    if (response.destroyed) attempt?.end();
    else if (!response.headersSent) this.runSteps(exchange, steps, from);
  }

  private handToNest(exchange: Exchange, { handle, operation }: Endpoint): void {
    const { request, response, responseFields } = exchange;
    const next = (error?: unknown) => this.refuse(exchange, error ?? new NotFoundError());
    // A response that Nest or the handler itself writes has these fields only when they are set on it.
    if (!operation.response) {
      // Express's `sendFile` and `download` call this when they fail.
      request.next = next;
      response.setHeader('X-Request-Id', requestIdOf(request));
      response.setHeader('X-Content-Type-Options', 'nosniff');
      if (responseFields) response.setHeaders(new Map(Object.entries(responseFields)));
    }
    exchange.timeline?.enter('guards');
    // Nest's promise is rejected when an exception filter fails, too.
    void Promise.resolve(handle(request, response, next)).then(exchange.attempt?.end, (error: unknown) =>
      this.refuse(exchange, error),
    );
  }

  private refuse({ request, response, attempt }: Exchange, error: unknown): void {
    attempt?.end();
    // Coming late is no fault to log.
    if (isLate(request) && error instanceof AppError) this.errors.respondQuietly(error, request, response);
    else this.errors.respond(error, request, response);
  }
}

/** `rate limit` of the RateLimitStep. */
export function phaseOf({ name }: Type<Step>): string {
  return name
    .replace(/Step$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}
