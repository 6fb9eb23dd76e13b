import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../platform/audit/audit-log';
import type { CitusCluster } from './cluster';
import type { Place, Placement } from './placement';
import { Database } from '../../../platform/database/database';
import { defineError } from '../../../platform/errors/app-error';
import { InjectAdminRecords } from '../../../platform/features/admin-records.module';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { IdempotentResponse } from '../../../platform/http/idempotency/idempotent-response.entity';
import { DistributionRepository } from './distribution.repository';

/** Tables cannot be distributed here, or not from where they are now. */
const DistributionRefusedError = defineError({
  code: 'distribution_refused',
  status: 409,
  message: 'The tables cannot be distributed here.',
});

const SUBJECT = { type: 'database', id: 'tables' };

/** The tables with their present and intended placement, and the statements that move them. */
export interface DistributionPlan {
  /** Number of machines that hold rows of distributed tables. */
  readonly workers: number;
  readonly tables: readonly (Placement & { readonly now: Place })[];
  /** Empty if nothing is left to do. */
  readonly statements: readonly string[];
}

/** Distributes the records of the features over the workers of Citus. */
@Injectable()
export class DistributionService {
  constructor(
    private readonly tables: DistributionRepository,
    private readonly database: Database,
    private readonly audit: AuditLog,
    @InjectAdminRecords() private readonly recordTypes: readonly AdminRecords[],
  ) {}

  /** @throws DistributionRefusedError if tables cannot be distributed here */
  async plan(): Promise<DistributionPlan> {
    const cluster = await this.cluster();
    const spread = [
      ...this.recordTypes.map(({ entity }) => ({ entity, by: 'id' })),
      { entity: IdempotentResponse, by: 'key' },
    ];
    const tables = this.tables
      .placements(spread)
      .map((placement) => ({
        ...placement,
        now: cluster.places.get(placement.table)?.place ?? ('local' as const),
      }))
      // Tables that move come first: those that stay are many.
      .toSorted((one, other) => Number(one.place === 'local') - Number(other.place === 'local'));
    refuseOtherPlaces(tables, cluster);
    const moving = tables.filter(({ place, now }) => place !== now);
    await this.refuseForeign(moving);
    return { workers: cluster.workers, tables, statements: this.tables.statements(moving) };
  }

  /**
   * Carries out the plan: all of it or nothing.
   *
   * @throws DistributionRefusedError if tables cannot be distributed here
   */
  apply(): Promise<DistributionPlan> {
    return this.database.transaction(async () => {
      const plan = await this.plan();
      const { statements } = plan;
      if (statements.length === 0) return plan;
      await this.tables.run(statements);
      // No row changes, so it may run in read-only mode, when no writes wait for it.
      await this.audit.recordWhileReadOnly({
        action: 'database.distribute',
        subject: SUBJECT,
        after: { statements },
      });
      return plan;
    });
  }

  private async cluster(): Promise<CitusCluster> {
    if (this.database.engine === 'sqlite') {
      throw new DistributionRefusedError(
        'Citus distributes tables of PostgreSQL, but this database is a SQLite file.',
      );
    }
    const cluster = await this.tables.readCluster();
    if (!cluster) {
      throw new DistributionRefusedError(
        'Citus is not installed in this database: CREATE EXTENSION citus on every machine, then add the workers.',
      );
    }
    if (!cluster.isCoordinator) {
      throw new DistributionRefusedError(
        'DATABASE_URL points to a Citus worker. Point it to the coordinator.',
      );
    }
    if (cluster.workers === 0) {
      throw new DistributionRefusedError(
        'Citus has no worker to distribute tables over. Add one with citus_add_node().',
      );
    }
    return cluster;
  }

  private async refuseForeign(moving: readonly Placement[]): Promise<void> {
    const foreign = await this.tables.findForeign(moving.map(({ table }) => table));
    if (foreign.length === 0) return;
    throw new DistributionRefusedError(
      `Only the owner of tables can distribute them, and the role of DATABASE_URL does not own ${foreign.join(', ')}.`,
    );
  }
}

/** Refuses to move rows back to one machine, which an operator has to do on purpose. */
function refuseOtherPlaces(tables: DistributionPlan['tables'], { places }: CitusCluster): void {
  for (const { table, place, column, now } of tables) {
    const by = places.get(table)?.column ?? null;
    if (now === 'local' || (now === place && by === column)) continue;
    const [is, should] = [inWords(now, by), inWords(place, column)];
    throw new DistributionRefusedError(
      `${table} is ${is} and should be ${should}: SELECT undistribute_table('${table}', cascade_via_foreign_keys => true) takes that back first.`,
    );
  }
}

function inWords(place: Place, column: string | null): string {
  if (place === 'distributed') return `distributed by ${column}`;
  return place === 'reference' ? 'a reference table' : 'local';
}
