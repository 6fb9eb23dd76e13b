import { Injectable } from '@nestjs/common';
import { daysUntil } from '../../../platform/values/calendar';
import type { OperationState } from '../../../platform/deprecation/operation-states';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import type { Deprecation } from '../../../platform/deprecation/deprecated-operation.decorator';
import type { Operation } from '../../../platform/http/operations/operation';
import { BASE_PATH } from '../../../platform/values/operation-path';
import { OperationRegistry } from '../../../platform/http/operations/operation-registry';
import { type KeyOperationUsage, UsageReportService } from './usage-report.service';

/** Number of days that count as recent. */
export const RECENT_DAYS = 30;

/** A deprecated operation and who still calls it. The members are stable: scripts read them. */
export interface DeprecationReport {
  readonly operation: string;
  readonly method: string;
  /** Path with parameters, for example `/v1/pets/{petId}`. */
  readonly path: string;
  /** ISO 8601, UTC, as all times here. */
  readonly since: string;
  readonly sunset: string;
  /** Days from today until the date of the sunset, in UTC; negative after it. */
  readonly daysLeft: number;
  /** Path of the operation to use instead, for example `/v1/pets`. */
  readonly successor: string;
  /** The state that DEPRECATED_OPERATIONS of this process gives it. */
  readonly state: OperationState['state'];
  /** Windows of the brownout; empty in another state. */
  readonly windows: readonly { readonly from: string; readonly to: string }[];
  /** Calls by all keys since they were created. */
  readonly count: number;
  /** Calls in the last 30 days. */
  readonly recent: number;
  /** The keys that have called it, most calls in the last 30 days first. */
  readonly callers: readonly KeyOperationUsage[];
}

/** An operation with an announced end. */
type EndingOperation = Operation & { readonly deprecation: Deprecation };

/** Reports which operations are to be removed, when, and which keys that affects. */
@Injectable()
export class DeprecationReportService {
  constructor(
    private readonly registry: OperationRegistry,
    private readonly usage: UsageReportService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Reports every deprecated operation of the public interface, earliest sunset first. */
  async list(now = new Date()): Promise<DeprecationReport[]> {
    return Promise.all(this.operations().map((operation) => this.report(operation, now)));
  }

  /** Every deprecated operation of the public interface, earliest sunset first. */
  private operations(): EndingOperation[] {
    return this.registry
      .of('public')
      .filter((operation): operation is EndingOperation => operation.deprecation !== undefined)
      .sort((a, b) => a.deprecation.sunset.getTime() - b.deprecation.sunset.getTime());
  }

  private async report(operation: EndingOperation, now: Date): Promise<DeprecationReport> {
    const { id, method, template, deprecation } = operation;
    const state = this.settings.deprecatedOperations.get(id) ?? { state: 'active' };
    const callers = await this.usage.byKey(RECENT_DAYS, { operation: id }, now);
    const sum = (name: 'count' | 'recent') => callers.reduce((total, caller) => total + caller[name], 0);
    return {
      operation: id,
      method,
      path: template,
      since: deprecation.since.toISOString(),
      sunset: deprecation.sunset.toISOString(),
      daysLeft: daysUntil(deprecation.sunset, now),
      successor: `${BASE_PATH}${deprecation.successor}`,
      state: state.state,
      windows:
        state.state === 'brownout'
          ? state.windows.map(({ from, to }) => ({ from: from.toISOString(), to: to.toISOString() }))
          : [],
      count: sum('count'),
      recent: sum('recent'),
      callers,
    };
  }
}
