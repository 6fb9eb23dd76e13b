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
} from '../../requests/reports/deprecation-report.service';
import { TrafficRecorder } from '../../statistics/traffic-recorder.service';
import { type NodeProcess, type Traffic, TrafficService } from '../../statistics/traffic.service';
import { beginOf, minutesOf, type Range } from '../../statistics/ranges';
import { type Section, section } from '../frame/section';

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
    private readonly recorder: TrafficRecorder,
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
      part(() => this.trafficIn(range)),
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

  /** Reads the traffic with what this process has served just now; other processes write theirs each minute. */
  private async trafficIn(range: Range): Promise<Traffic> {
    await this.recorder.record(Date.now());
    return this.traffic.during(range);
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
}
