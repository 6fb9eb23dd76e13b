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
import { CallEstimate } from './call-estimate';
import { BASIS_DAYS, historyDays, type HistoryView, viewHistory } from './call-history';
import { DAY_MS, dayOf } from '../../platform/values/calendar';
import { type DeprecatedOperation, DeprecationReportService, viewWindow } from './deprecation-report.service';
import { NotDeprecatedError, InvalidPlanError } from './deprecation.errors';
import { type Caller, callerOf } from './usage-report.service';

/** What to set, so that an operation is switched off now and then. The members are stable: scripts read them. */
export interface BrownoutPlan {
  readonly operation: string;
  readonly sunset: string;
  readonly windows: readonly { readonly from: string; readonly to: string }[];
  /** What DEPRECATED_OPERATIONS is to be, with what it says of other operations now. */
  readonly value: string;
}

/** The response a client gets. */
export interface ClientResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** What would come of one operation's state. The members are stable: scripts read them. */
export interface Rehearsal {
  readonly operation: string;
  readonly state: 'brownout' | 'removed';
  /** In a brownout at the beginning of the first window. */
  readonly answer: ClientResponse;
  /** With the calls each would refuse, an estimate. */
  readonly windows: readonly { readonly from: string; readonly to: string; readonly refusals: number }[];
  /** With the calls refused to each in all windows, of a removed operation in a week; most refusals first. */
  readonly callers: readonly RefusedCaller[];
  /** What the estimate rests on. */
  readonly history: HistoryView;
}

/** A key whose calls would be refused. */
export interface RefusedCaller extends Caller {
  readonly refusals: number;
  /** Full days its estimate rests on, of the last four weeks; 0 when today is all there is. */
  readonly historyDays: number;
}

/** What the calls of an operation are estimated from. */
interface Calls {
  readonly byKey: ReadonlyMap<string, CallEstimate>;
  /** The day of the first call; undefined when there was none. */
  readonly first: string | undefined;
}

/** Plans brownouts, and finds out beforehand which keys they would hit. */
@Injectable()
export class BrownoutsService {
  constructor(
    private readonly deprecations: DeprecationReportService,
    private readonly usage: UsageService,
    private readonly keys: ApiKeysService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /**
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
   * Which keys would have been refused, and the response they would have got; nothing of operations that stay active.
   *
   * @param value of DEPRECATED_OPERATIONS; what it is now unless given
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
      // A week of a removed operation: every weekday counts.
      const inWeek = { from: now, to: new Date(now.getTime() + 7 * DAY_MS) };
      const asked = state.state === 'brownout' ? windows : [inWeek];
      const { byKey, first } = await this.callsOf(operation.id, asked, now);
      const keys = await this.keys.byId(byKey.keys());
      rehearsals.push({
        operation: operation.id,
        state: state.state,
        answer: this.responseAt(operation, states, asked[0]?.from ?? now),
        windows: windows.map((window) => ({
          ...viewWindow(window),
          refusals: sum([...byKey.values()].map((ofKey) => ofKey.during(window))),
        })),
        callers: [...byKey]
          .map(([keyId, ofKey]) => ({
            ...callerOf(keyId, keys.get(keyId)),
            refusals: sum(asked.map((window) => ofKey.during(window))),
            historyDays: ofKey.history.length,
          }))
          .filter(({ refusals }) => refusals > 0)
          .sort((a, b) => b.refusals - a.refusals),
        history: viewHistory(operation.id, first, asked, now),
      });
    }
    return rehearsals;
  }

  private async callsOf(operation: string, windows: readonly BrownoutWindow[], now: Date): Promise<Calls> {
    const earliest = dayOf(Math.min(...windows.map(({ from }) => from.getTime())));
    const basis = dayOf(now.getTime() - BASIS_DAYS * DAY_MS);
    const days = { from: earliest < basis ? earliest : basis, to: dayOf(now) };
    const calls = new Map<string, Map<string, number>>();
    for (const { keyId, day, count } of await this.usage.sums(['keyId', 'day'], days, { operation })) {
      const ofKey = calls.get(keyId) ?? new Map<string, number>();
      calls.set(keyId, ofKey.set(day, count));
    }
    const firsts = await this.usage.firstDays(operation);
    const historyOf = (keyId: string) => historyDays(firsts.get(keyId) ?? days.to, now);
    return {
      byKey: new Map([...calls].map(([id, ofKey]) => [id, new CallEstimate(ofKey, historyOf(id), now)])),
      first: [...firsts.values()].sort()[0],
    };
  }

  /** The response of the service itself at that instant. */
  private responseAt(operation: DeprecatedOperation, states: OperationStates, at: Date): ClientResponse {
    const { publicBaseUrl } = this.settings;
    try {
      new Deprecations(states, publicBaseUrl).assertServed(operation, at);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const headers = { ...deprecationHeaders(operation, publicBaseUrl), ...error.headers };
      return { status: error.status, headers, body: error.toBody() };
    }
    throw new Error(`${operation.id} would be served at ${at.toISOString()}.`);
  }

  private find(id: string): DeprecatedOperation {
    const operations = this.deprecations.operations();
    const found = operations.find((operation) => operation.id === id);
    if (found) return found;
    throw new NotDeprecatedError(
      id,
      operations.map((operation) => operation.id),
    );
  }
}

/** @throws InvalidPlanError unless the setting would take the value */
function readStates(value: string): OperationStates {
  const parsed = operationStates().parse(value);
  if ('fault' in parsed) throw new InvalidPlanError('value', `The value ${parsed.fault}.`);
  return parsed.value;
}

function sum(numbers: readonly number[]): number {
  const total = numbers.reduce((all, each) => all + each, 0);
  return Math.round(total * 10) / 10;
}
