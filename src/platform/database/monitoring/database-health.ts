import { Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { HealthCheck, type HealthDetails, type HealthResult } from '../../health/health-check';
import { Database } from '../database';
import { ACCEPTS_NO_CHANGES, DISK_FULL } from '../driver/driver-errors';
import { assertFileInPlace } from '../driver/sqlite-file';
import { PostgresClient } from '../driver/postgres-client';
import { poolOf, sqliteOf } from '../driver/data-source';
import { unwritable } from './unwritable';

/** Longest wait for a connection, in milliseconds: less than a check may take. */
const TURN_MS = 800;

/** Time for which a disk counts as full after a write found it so, in milliseconds. */
const FULL_MS = 60_000;

/** The reason of a pool that is too small for what is asked of it. */
export const POOL_BUSY = 'Requests wait for connections of the pool.';

/** Says whether the server carries out writes: not in a standby, nor with `default_transaction_read_only`. */
const WRITABLE = `SELECT current_setting('transaction_read_only') AS "readOnly", pg_is_in_recovery() AS "isStandby"`;

/** Checks that the database answers, and that it accepts changes. */
@Injectable()
export class DatabaseHealth extends HealthCheck {
  readonly name = 'database';
  readonly isRequired = true;

  constructor(private readonly database: Database) {
    super();
  }

  override get facts(): HealthDetails {
    return { engine: this.database.engine, pool: this.database.pool };
  }

  /**
   * Resolves to true while a statement waits because others that asked before it get their connections. If none of those gets
   * one within the time, the database is stuck.
   */
  private async waitsInLine(asked: Promise<unknown>): Promise<boolean> {
    const pool = poolOf(this.database.dataSource);
    // Its own place is the last.
    if (pool.waitingCount < 2) return false;
    let turns = 0;
    const count = () => void (turns += 1);
    pool.on('acquire', count);
    try {
      const isPending = await pTimeout(
        asked.then(() => false),
        { milliseconds: TURN_MS, fallback: () => true },
      );
      return isPending && turns > 0;
    } finally {
      pool.off('acquire', count);
    }
  }

  private get hasFullDisk(): boolean {
    const isFull = performance.now() - PostgresClient.fullAt < FULL_MS;
    return this.database.engine === 'postgres' && isFull;
  }

  async check(): Promise<HealthResult> {
    const began = performance.now();
    const { engine, dataSource } = this.database;
    if (engine === 'sqlite') assertFileInPlace(sqliteOf(dataSource));
    const asked = dataSource.query<{ readOnly?: string; isStandby?: boolean }[]>(
      engine === 'postgres' ? WRITABLE : 'SELECT 1',
    );
    if (engine === 'postgres' && (await this.waitsInLine(asked))) {
      return { status: 'saturated', reason: POOL_BUSY };
    }
    const [row] = await asked;
    const refusal = row?.readOnly === 'on' ? ACCEPTS_NO_CHANGES : this.hasFullDisk ? DISK_FULL : undefined;
    const fault = unwritable(row?.isStandby === true, refusal);
    // It serves reads.
    if (fault) return { ...fault, status: 'degraded' };
    return { status: 'ok', details: { latencyMs: Math.round((performance.now() - began) * 10) / 10 } };
  }
}
