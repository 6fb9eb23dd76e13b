import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { insertion } from '../database/statements/statement';
import { MonthlyUse } from './monthly-use.entity';

/** Requests to let in together. */
export interface WantedUse extends MonthlyUse {
  /** Requests the client may make in the month. */
  readonly quota: number;
}

/** Use of the monthly quotas, in the database, which counts for all nodes. */
@Injectable()
export class MonthlyUsesRepository {
  private readonly uses = this.database.dataSource.getRepository(MonthlyUse);
  // A node whose clock is behind counts toward the month that has begun elsewhere: going back would give out a quota twice.
  private readonly addition = this.database.prepare<{ readonly used: bigint | number | string }>(
    (manager) => insertion(manager, MonthlyUse, ['lineageId', 'month', 'used']),
    `ON CONFLICT ("lineage_id") DO UPDATE SET
     "used" = CASE WHEN excluded."month" > "monthly_uses"."month" THEN excluded."used"
     ELSE "monthly_uses"."used" + excluded."used" END,
     "month" = CASE WHEN excluded."month" > "monthly_uses"."month" THEN excluded."month" ELSE "monthly_uses"."month" END
     WHERE excluded."month" > "monthly_uses"."month" OR "monthly_uses"."used" + excluded."used" <= :quota
     RETURNING "used"`,
  );

  constructor(private readonly database: Database) {}

  /**
   * Lets requests in, all or none.
   *
   * @returns the number used in the month so far; undefined when it would exceed the quota
   */
  async add({ lineageId, month, used, quota }: WantedUse): Promise<number | undefined> {
    // The statement does not compare the first row of a client with the quota.
    if (used > quota) return undefined;
    const [row] = await this.database.query(this.addition, { lineageId, month, used, quota });
    return row && Number(row.used);
  }

  /** Returns the number of requests of a client that were let in in a month. */
  async used(lineageId: string, month: string): Promise<number> {
    const row = await this.uses.findOneBy({ lineageId });
    return row?.month === month ? row.used : 0;
  }
}
