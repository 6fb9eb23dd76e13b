import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { defineError } from '../errors/app-error';
import { AuditEvent } from './audit-event.entity';

/** A standby sees what its primary has committed, but not which transactions are open there. */
const AuditOnStandbyError = defineError({
  code: 'audit_on_standby',
  status: 409,
  message:
    'The database is a standby, which cannot tell whether older changes are still to come: use its primary.',
  isForOperators: true,
});

interface Writers {
  readonly isStandby: boolean;
  /** Transactions of other connections that may add events. */
  readonly writers: readonly string[];
}

/**
 * A transaction that adds events locks the table, or their sequence if it draws the ids first, from before its first id until
 * it has ended. A prepared transaction has no process.
 */
const POSTGRES_WRITERS = `SELECT pg_is_in_recovery() AS "isStandby", ARRAY(SELECT DISTINCT virtualtransaction FROM pg_locks
  WHERE relation IN ('audit_events'::regclass, pg_get_serial_sequence('audit_events', 'id')::regclass)
  AND mode = 'RowExclusiveLock' AND pid IS DISTINCT FROM pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS "writers"`;

/** Time that transactions get to end, in milliseconds: with some always open, none of them ever is alone. */
const PATIENCE_MS = 1_000;

const POLL_MS = 50;

/** Tells which audit events nothing can precede any more. */
@Injectable()
export class SettledEvents {
  constructor(private readonly database: Database) {}

  /**
   * The id up to which no event can appear any more; undefined if that cannot be told now. Ids are assigned before the commit,
   * so on PostgreSQL an event may appear after one with a higher id; it cannot once every transaction that was adding events
   * after the highest id was read has ended. SQLite has one writer at a time, and assigns ids in the order of commits.
   *
   * @throws AuditOnStandbyError
   */
  async newestId(): Promise<bigint | undefined> {
    const newest = await this.newestCommittedId();
    if (this.database.engine === 'sqlite') return newest;
    const end = performance.now() + PATIENCE_MS;
    let open = await this.writers();
    while (open.size > 0 && performance.now() < end) {
      await pause(POLL_MS);
      open = open.intersection(await this.writers());
    }
    return open.size > 0 ? undefined : newest;
  }

  private async newestCommittedId(): Promise<bigint> {
    const row = await this.database.dataSource
      .getRepository(AuditEvent)
      .createQueryBuilder('event')
      .select('MAX(event.id)', 'id')
      .getRawOne<{ id: bigint | null }>();
    return row?.id ?? 0n;
  }

  private async writers(): Promise<Set<string>> {
    const [row] = await this.database.dataSource.query<Writers[]>(POSTGRES_WRITERS);
    if (row?.isStandby) throw new AuditOnStandbyError();
    return new Set(row?.writers);
  }
}
