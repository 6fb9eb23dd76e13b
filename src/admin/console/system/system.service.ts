import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PrintedSetting, redactedSettings } from '../../../platform/config/load-settings';
import type { Settings } from '../../../platform/config/settings';
import { InjectSettings } from '../../../platform/config/settings.module';
import { engineOf } from '../../../platform/database/column-types';
import { describeLocation } from '../../../platform/database/driver/database-url';
import { DrillLog } from '../../database/drill-log.service';
import { readServerFacts, type ServerFacts } from '../../database/server-facts';
import { migrationFindings } from '../../../platform/database/schema/migrations.check';
import { type SchemaState, SchemaReadiness } from '../../../platform/database/schema/schema-state';
import type { Finding } from '../../../platform/health/check';
import { FaultLog } from '../../../platform/logging/fault-log';
import { type NodeProcess, TrafficService } from '../../statistics/traffic.service';
import { type Section, section } from '../frame/section';

/** Facts about a database. */
interface DatabaseFacts extends ServerFacts {
  readonly location: string;
  /** Time of the last drill that restored a backup; undefined if there was none. */
  readonly restoredAt: Date | undefined;
}

/** The running processes and their database. */
export interface System {
  readonly nodes: Section<readonly NodeProcess[]>;
  readonly database: Section<DatabaseFacts>;
}

/** The migrations, and what the check of them finds. */
export interface Migrations {
  readonly state: SchemaState;
  readonly findings: readonly Finding[];
}

/** Gathers facts about the installation; a part that fails is shown as a fault beside the others. */
@Injectable()
export class SystemService {
  constructor(
    private readonly traffic: TrafficService,
    private readonly dataSource: DataSource,
    private readonly schema: SchemaReadiness,
    private readonly drills: DrillLog,
    @InjectSettings() private readonly own: Settings,
    private readonly faults: FaultLog,
  ) {}

  async read(): Promise<System> {
    const [nodes, database] = await Promise.all([
      this.part(() => this.traffic.nodes()),
      this.part(() => this.databaseFacts()),
    ]);
    return { nodes, database };
  }

  migrations(): Promise<Section<Migrations>> {
    return this.part(async () => {
      const state = await this.schema.state();
      return { state, findings: migrationFindings(state, engineOf(this.dataSource), this.own) };
    });
  }

  /** The settings of the process that responds, secrets redacted. */
  get settings(): readonly PrintedSetting[] {
    return redactedSettings(this.own);
  }

  private part<T>(work: () => Promise<T>): Promise<Section<T>> {
    return section(work, (error) => this.faults.error(error, 'A part of the system page cannot be shown.'));
  }

  private async databaseFacts(): Promise<DatabaseFacts> {
    const facts = await readServerFacts(this.dataSource);
    const restoredAt = await this.drills.lastPassed();
    return { ...facts, location: describeLocation(this.own.databaseUrl), restoredAt };
  }
}
