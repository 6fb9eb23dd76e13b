import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../auth/api-keys.service';
import { UsageService } from '../../auth/usage/usage.service';
import {
  type BrownoutWindow,
  type OperationStates,
  writeOperationStates,
} from '../../platform/deprecation/operation-states';
import { operationStates } from '../../platform/config/setting-kinds';
import type { Settings } from '../../platform/config/settings';
import { InjectSettings } from '../../platform/config/settings.module';
import { AppError } from '../../platform/errors/app-error';
import { deprecationHeaders, Deprecations } from '../../platform/deprecation/deprecations';
import { type BrownoutSchedule, planWindows } from './brownout-plan';
import { DAY_MS, dayOf } from '../../platform/values/calendar';
import { ServiceAddress } from '../../platform/values/service-address';
import { type EndingOperation, DeprecationReportService, viewWindow } from './deprecation-report.service';
import { NotDeprecatedError, InvalidPlanError } from './deprecation.errors';
import { type OperationCaller, callerOf } from './usage-report.service';

/** Full days whose calls are counted, besides today. */
const BASIS_DAYS = 28;

/** Basis of the estimate of refused calls, for people. */
export const ESTIMATE_BASIS =
  'An estimate from the calls of the last 28 days and of today, spread evenly: a window refuses the share of them that its length is of 28 days.';

/** The windows of an operation and the setting that applies them. The members are stable: scripts read them. */
export interface BrownoutPlan {
  readonly operation: string;
  readonly sunset: string;
  readonly windows: readonly { readonly from: string; readonly to: string }[];
  /** The new value of DEPRECATED_OPERATIONS, including its present entries for other operations. */
  readonly value: string;
}

/** The response a client gets. */
export interface ClientResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** The effect of one operation's state. The members are stable: scripts read them. */
export interface Rehearsal {
  readonly operation: string;
  readonly state: 'brownout' | 'removed';
  /** The response; in a brownout, at the beginning of the first window. */
  readonly answer: ClientResponse;
  /** The windows, each with an estimate of the calls it refuses. */
  readonly windows: readonly { readonly from: string; readonly to: string; readonly refusals: number }[];
  /** The keys that called in the last 28 days; most calls first. */
  readonly callers: readonly RefusedCaller[];
}

/** A key whose calls would be refused. */
export interface RefusedCaller extends OperationCaller {
  /** Calls in the last 28 days and today so far. */
  readonly calls: number;
  /** Estimated refusals in all windows; all calls of 28 days if the operation is removed. */
  readonly refusals: number;
}

/** Plans brownouts, and predicts which keys they would affect. */
@Injectable()
export class BrownoutsService {
  constructor(
    private readonly deprecations: DeprecationReportService,
    private readonly usage: UsageService,
    private readonly keys: ApiKeysService,
    private readonly address: ServiceAddress,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /**
   * Plans the windows of an operation.
   *
   * @param operationId the name of a deprecated operation
   * @throws NotDeprecatedError or InvalidPlanError
   */
  plan(operationId: string, schedule: BrownoutSchedule, now = new Date()): BrownoutPlan {
    const { sunset } = this.find(operationId).deprecation;
    const windows = planWindows(schedule, sunset, now);
    const states = new Map(this.settings.deprecatedOperations);
    const value = writeOperationStates(states.set(operationId, { state: 'brownout', windows }));
    readStates(value);
    return { operation: operationId, sunset: sunset.toISOString(), windows: windows.map(viewWindow), value };
  }

  /**
   * Predicts which keys would be refused, and the response they would get; leaves out operations that stay active.
   *
   * @param value a value of DEPRECATED_OPERATIONS; the present one by default
   * @throws NotDeprecatedError or InvalidPlanError
   */
  async rehearse(value?: string, now = new Date()): Promise<Rehearsal[]> {
    const states = value === undefined ? this.settings.deprecatedOperations : readStates(value);
    const operations = [...states.keys()].map((id) => this.find(id));
    const rehearsals: Rehearsal[] = [];
    for (const operation of operations) {
      const state = states.get(operation.id);
      if (!state || state.state === 'active') continue;
      const windows = state.state === 'brownout' ? state.windows : [];
      const share = state.state === 'brownout' ? sum(windows.map(shareOf)) : 1;
      const callers = await this.callersOf(operation.id, now);
      const calls = sum(callers.map((caller) => caller.calls));
      rehearsals.push({
        operation: operation.id,
        state: state.state,
        answer: this.responseAt(operation, states, windows[0]?.from ?? now),
        windows: windows.map((window) => ({
          ...viewWindow(window),
          refusals: rounded(calls * shareOf(window)),
        })),
        callers: callers.map((caller) => ({ ...caller, refusals: rounded(caller.calls * share) })),
      });
    }
    return rehearsals;
  }

  /** The keys that called an operation in the last 28 days, with their number of calls; most calls first. */
  private async callersOf(
    operation: string,
    now: Date,
  ): Promise<(OperationCaller & { readonly calls: number })[]> {
    const days = { from: dayOf(now.getTime() - BASIS_DAYS * DAY_MS), to: dayOf(now) };
    const sums = await this.usage.sums(['keyId'], days, { operation });
    const keys = await this.keys.byId(sums.map(({ keyId }) => keyId));
    return sums
      .map(({ keyId, count }) => ({ ...callerOf(keyId, keys.get(keyId)), calls: count }))
      .sort((a, b) => b.calls - a.calls);
  }

  /** The refusal that the service itself would send at that instant. */
  private responseAt(operation: EndingOperation, states: OperationStates, at: Date): ClientResponse {
    try {
      new Deprecations(states, this.address).assertServed(operation, at);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const headers = { ...deprecationHeaders(operation, this.address), ...error.headers };
      return { status: error.status, headers, body: error.toBody() };
    }
    throw new Error(`${operation.id} would be served at ${at.toISOString()}.`);
  }

  private find(id: string): EndingOperation {
    const operations = this.deprecations.operations();
    const found = operations.find((operation) => operation.id === id);
    if (found) return found;
    throw new NotDeprecatedError(
      id,
      operations.map((operation) => operation.id),
    );
  }
}

/** @throws InvalidPlanError if the setting would not accept the value */
function readStates(value: string): OperationStates {
  const parsed = operationStates().parse(value);
  if ('fault' in parsed) throw new InvalidPlanError('value', `The value ${parsed.fault}.`);
  return parsed.value;
}

/** The fraction of 28 days that a window takes. */
function shareOf({ from, to }: BrownoutWindow): number {
  return (to.getTime() - from.getTime()) / (BASIS_DAYS * DAY_MS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** Rounds to one decimal place. */
function rounded(calls: number): number {
  return Math.round(calls * 10) / 10;
}
