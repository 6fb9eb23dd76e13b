import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { insertion } from '../database/statements/statement';
import { MonthlyUse } from './monthly-use.entity';

/** Requests that are to be let in together. */
export interface WantedUse extends MonthlyUse {
  /** Requests the client may make in the month. */
  readonly quota: number;
}

/** What clients have used of their monthly quotas, in the database, which counts for all nodes. */
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
   * @returns how many of the month are used then; undefined when they would be more than the quota
   */
  async add({ lineageId, month, used, quota }: WantedUse): Promise<number | undefined> {
    // The first row of a client is not compared with anything.
    if (used > quota) return undefined;
    const [row] = await this.database.query(this.addition, { lineageId, month, used, quota });
    return row && Number(row.used);
  }

  /** How many requests of a client were let in in a month. */
  async used(lineageId: string, month: string): Promise<number> {
    const row = await this.uses.findOneBy({ lineageId });
    return row?.month === month ? row.used : 0;
  }
}
