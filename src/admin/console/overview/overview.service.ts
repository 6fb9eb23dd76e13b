import { Injectable } from '@nestjs/common';
import type { KeyToLookAt } from '../../../auth/dto/key-warning';
import { KeyWarningsService } from '../../../auth/key-warnings.service';
import { type HealthReport, HealthService } from '../../../health/health.service';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { FaultLog } from '../../../platform/logging/fault-log';
import { type Refusals, RequestsService } from '../../requests/requests.service';
import { StatisticsService, type RecordStatistics } from '../../statistics/statistics.service';
import { RecordsService } from '../../records/records.service';
import {
  type DeprecationReport,
  DeprecationReportService,
} from '../../deprecation/deprecation-report.service';
import {
  type BusyMinutes,
  Coverage,
  minuteUnderWay,
  type NodeProcess,
  type TrafficPoint,
  TrafficService,
} from '../../traffic/traffic.service';
import { minuteOf } from '../../traffic/traffic-recorder.service';
import { beginOf, fittedRange, minutesOf, type Range } from './ranges';
import { type Section, section } from '../frame/section';

/** Traffic on the public port. */
export interface Traffic {
  /** Traffic in the steps of `range`. */
  readonly points: readonly TrafficPoint[];
  /** True for points at which no process served, so that nothing was measured. */
  readonly gaps: readonly boolean[];
  /** The range, shortened to the time for which there is traffic. */
  readonly range: Range;
  /** Totals of the whole range. */
  readonly total: TrafficPoint;
  readonly busy: BusyMinutes;
}

/** The number of records of one type. */
export interface Records {
  readonly statistics: RecordStatistics;
  /** Number of records added in the range; undefined if that is unknown. */
  readonly added: number | undefined;
}

/** Keys that need the operator's attention. */
export interface KeysToLookAt {
  readonly first: readonly KeyToLookAt[];
  /** Number of these keys; at most {@link MAX_COUNTED_KEYS} and one, which means more. */
  readonly count: number;
}

/** The sections of the first page. */
export interface Overview {
  readonly traffic: Section<Traffic>;
  /** Refused requests of the range; undefined if requests are not kept. */
  readonly refusals: Section<Refusals | undefined>;
  readonly records: readonly Section<Records>[];
  readonly keys: Section<KeysToLookAt>;
  readonly deprecations: Section<readonly DeprecationReport[]>;
  readonly health: Section<HealthReport>;
  readonly nodes: Section<readonly NodeProcess[]>;
}

/** Maximum number of keys on this page; their own page has them all. */
const SHOWN_KEYS = 5;
/** Limit to which keys are counted: counting reads every row that it counts. */
export const MAX_COUNTED_KEYS = 10_000;

/** Gathers the overview; a part that fails is shown as a fault beside the others. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly traffic: TrafficService,
    private readonly requests: RequestsService,
    private readonly statistics: StatisticsService,
    private readonly records: RecordsService,
    private readonly warnings: KeyWarningsService,
    private readonly deprecations: DeprecationReportService,
    private readonly health: HealthService,
    @InjectSettings() private readonly settings: Settings,
    private readonly faults: FaultLog,
  ) {}

  async read(range: Range): Promise<Overview> {
    const part = <T>(work: () => Promise<T>) =>
      section(work, (error) => this.faults.error(error, 'A part of the overview cannot be shown.'));
    const [traffic, refusals, records, keys, deprecations, health, nodes] = await Promise.all([
      part(() => this.trafficOf(range)),
      part(() => this.refusalsIn(range)),
      Promise.all(
        this.records.recordTypes.map((recordType) => part(() => this.recordsOf(recordType, range))),
      ),
      part(() => this.keysToLookAt()),
      part(() => this.deprecations.list()),
      part(() => this.health.report()),
      part(() => this.traffic.nodes()),
    ]);
    return { traffic, refusals, records, keys, deprecations, health, nodes };
  }

  private async refusalsIn(range: Range): Promise<Refusals | undefined> {
    if (this.settings.requestLogDays === 0) return undefined;
    return this.requests.refusals({ from: beginOf(range) });
  }

  private async keysToLookAt(): Promise<KeysToLookAt> {
    return {
      first: await this.warnings.first(SHOWN_KEYS),
      count: await this.warnings.count(MAX_COUNTED_KEYS + 1),
    };
  }

  private async recordsOf(recordType: AdminRecords, range: Range): Promise<Records> {
    const statistics = await this.statistics.of(recordType);
    const added = statistics.added && (await this.statistics.addedWithin(recordType, minutesOf(range)));
    return { statistics, added };
  }

  private async trafficOf(range: Range): Promise<Traffic> {
    const now = new Date();
    const coverage = new Coverage(await this.traffic.nodes(now), now);
    const whole = await this.traffic.steps(range.steps, range.stepMinutes, now);
    const known = [coverage.from, whole.find(({ requests }) => requests > 0)?.at.getTime()];
    const since = Math.min(...known.filter((each) => each !== undefined));
    // In whole minutes, as the steps are: the first minute is the one in which the data begins.
    const fitted = fittedRange(range, minuteUnderWay(now) - minuteOf(since));
    const points = fitted === range ? whole : await this.traffic.steps(fitted.steps, fitted.stepMinutes, now);
    return {
      points,
      gaps: points.map(({ at, requests }) => requests === 0 && !coverage.includes(at, fitted.stepMinutes)),
      range: fitted,
      total: await this.traffic.total(minutesOf(range), now),
      busy: await this.traffic.busyMinutes(minutesOf(range), now),
    };
  }
}
