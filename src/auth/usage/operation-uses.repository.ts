import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { EntityRepository } from '../../platform/database/entities/entity-repository';
import { insertion } from '../../platform/database/statements/statement';
import type { UsageDays, UsageFilter, UsageSum, UsesOfDay } from '../dto/operation-usage';
import { OperationUse } from './operation-use.entity';
import { OperationUseDay } from './operation-use-day.entity';

/** Uses of an operation by a key on one day, to be added to the stored counts. */
export interface Uses extends OperationUse {
  /** Day in UTC on which all of them happened, as `2026-01-31`. */
  readonly day: string;
}

const COLUMNS = ['keyId', 'operation', 'count', 'lastUsedAt'];
const DAY_COLUMNS = ['keyId', 'operation', 'day', 'count'];

/** Uses of operations by keys, in the database. */
@Injectable()
export class OperationUsesRepository {
  private readonly days = new EntityRepository(this.database, OperationUseDay);
  private readonly total = this.database.prepare<object>(
    (manager) => insertion(manager, OperationUse, COLUMNS),
    `ON CONFLICT ("key_id", "operation") DO UPDATE SET "count" = "operation_uses"."count" + excluded."count",
     "last_used_at" = CASE WHEN excluded."last_used_at" > "operation_uses"."last_used_at" THEN excluded."last_used_at"
     ELSE "operation_uses"."last_used_at" END RETURNING "key_id"`,
  );
  private readonly ofDay = this.database.prepare<object>(
    (manager) => insertion(manager, OperationUseDay, DAY_COLUMNS),
    `ON CONFLICT ("key_id", "operation", "day") DO UPDATE SET "count" = "operation_use_days"."count" + excluded."count"
     RETURNING "key_id"`,
  );

  constructor(private readonly database: Database) {}

  /** Adds to the stored counts. Several nodes may do so at once, if all add their rows in the same order. */
  async add({ keyId, operation, day, count, lastUsedAt }: Uses): Promise<void> {
    await this.database.query(this.total, { keyId, operation, count, lastUsedAt });
    await this.database.query(this.ofDay, { keyId, operation, day, count });
  }

  list(filter: UsageFilter = {}): Promise<OperationUse[]> {
    return this.database.scan(OperationUse, (uses) =>
      uses.find({ where: given(filter), order: { operation: 'ASC', keyId: 'ASC' } }),
    );
  }

  /** Adds up the uses of some days by these members, in their order. */
  async sums<By extends keyof UsesOfDay>(
    by: readonly By[],
    { from, to }: UsageDays,
    { keyId, operation }: UsageFilter,
  ): Promise<UsageSum<By>[]> {
    const rows = await this.database.scan(OperationUseDay, (days) => {
      const query = days.createQueryBuilder('use').select('SUM(use.count)', 'count');
      for (const name of by) query.addSelect(`use.${name}`, name).addGroupBy(`use.${name}`).addOrderBy(name);
      query.where('use.day BETWEEN :from AND :to', { from, to });
      if (keyId !== undefined) query.andWhere('use.keyId = :keyId', { keyId });
      if (operation !== undefined) query.andWhere('use.operation = :operation', { operation });
      return query.getRawMany<Pick<UsesOfDay, By> & { count: bigint | string }>();
    });
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  }

  /** Deletes some of the days before one. @returns true if there may be more */
  deleteDaysBefore(day: string): Promise<boolean> {
    return this.days.deleteBatch('day', day);
  }
}

/** The members of a filter that are set: TypeORM refuses undefined ones. */
function given({ keyId, operation }: UsageFilter) {
  return { ...(keyId !== undefined && { keyId }), ...(operation !== undefined && { operation }) };
}
