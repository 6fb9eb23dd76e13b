import { Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { HealthCheck, type HealthDetails, type HealthResult } from '../../health/health-check';
import { Database } from '../database';
import { assertFileInPlace } from '../driver/sqlite-file';
import { PostgresClient } from '../driver/postgres-client';
import { poolOf, sqliteOf } from '../driver/data-source';

/** Longest wait for a connection, in milliseconds: less than a check may take. */
const TURN_MS = 800;

/** Time for which a disk counts as full after a write found it so, in milliseconds. */
const FULL_MS = 60_000;

const READ_ONLY =
  'The server accepts reads alone: it is a standby, or default_transaction_read_only is on for server, database or role.';
const DISK_FULL = 'The server has refused a change within a minute, because its disk is full.';

/** Says whether the server carries out writes: not in a standby, nor with `default_transaction_read_only`. */
const WRITABLE = `SELECT current_setting('transaction_read_only') AS "readOnly"`;

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

  private fullDisk(): string | undefined {
    const isFull = performance.now() - PostgresClient.fullAt < FULL_MS;
    return this.database.engine === 'postgres' && isFull ? DISK_FULL : undefined;
  }

  async check(): Promise<HealthResult> {
    const began = performance.now();
    const { engine, dataSource } = this.database;
    if (engine === 'sqlite') assertFileInPlace(sqliteOf(dataSource));
    const asked = dataSource.query<{ readOnly?: string }[]>(engine === 'postgres' ? WRITABLE : 'SELECT 1');
    if (engine === 'postgres' && (await this.waitsInLine(asked))) {
      return { status: 'saturated', reason: 'Requests wait for connections of the pool.' };
    }
    const [row] = await asked;
    const reason = row?.readOnly === 'on' ? READ_ONLY : this.fullDisk();
    if (reason !== undefined) return { status: 'degraded', reason };
    return { status: 'ok', details: { latencyMs: Math.round((performance.now() - began) * 10) / 10 } };
  }
}
