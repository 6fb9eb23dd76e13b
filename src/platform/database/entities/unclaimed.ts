import { type FindOptionsWhere, IsNull, LessThan } from 'typeorm';

/** Row that a process claims by a lease: both members are null while none has it. */
interface ClaimedRow {
  lockedBy: string | null;
  lockedUntil: Date | null;
}

/** Returns the condition for rows that meet another one and that no process has. */
export function unclaimed<Row extends ClaimedRow>(
  where: FindOptionsWhere<Row>,
  now: Date,
): FindOptionsWhere<Row>[] {
  const ends = [{ lockedUntil: IsNull() }, { lockedUntil: LessThan(now) }];
  return ends.map((end) => ({ ...where, ...end }));
}
