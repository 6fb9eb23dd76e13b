import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hasAdvisoryLocks } from '../../database/driver/advisory-locks';
import { Database } from '../../database/database';
import { EntityRepository } from '../../database/entities/entity-repository';
import type { BoundValue } from '../../database/statements/row-values';
import { assignments, parameters } from '../../database/statements/statement';
import { IdempotentResponse } from './idempotent-response.entity';

/** Key by which a kept response is found. */
export type ResponsePlace = Pick<IdempotentResponse, 'lineageId' | 'operation' | 'key'>;

/** A text of its own for each place. */
export function nameOf({ lineageId, operation, key }: ResponsePlace): string {
  return [lineageId, operation, key].join('\0');
}

const COLUMNS = [
  'lineageId',
  'operation',
  'key',
  'fingerprint',
  'status',
  'body',
  'location',
  'createdAt',
] as const;

/** Puts a response in the place of one that has expired, and of no other; TypeORM compiles that condition for PostgreSQL alone. */
const OVER_EXPIRED = `ON CONFLICT ("lineage_id", "operation", "key") DO UPDATE
  SET "fingerprint" = excluded."fingerprint", "status" = excluded."status", "body" = excluded."body",
    "location" = excluded."location", "created_at" = excluded."created_at"
  WHERE "idempotent_answers"."created_at" < :expiry
  RETURNING "key"`;

/** Stored responses in the database. */
@Injectable()
export class IdempotentResponsesRepository {
  private readonly responses = new EntityRepository(this.database, IdempotentResponse);
  /** True if the server has advisory locks; asked at the first need. */
  private hasLocks: boolean | undefined;
  private readonly atPlace = this.database.prepare<IdempotentResponse>((manager) => selectAt(manager), '', {
    isPipelined: true,
  });

  private readonly insertion = this.database.prepare<Pick<IdempotentResponse, 'key'>>(
    (manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(IdempotentResponse)
        .values(assignments(COLUMNS))
        .setParameters(parameters(COLUMNS))
        .updateEntity(false),
    OVER_EXPIRED,
  );

  constructor(private readonly database: Database) {}

  async find(place: ResponsePlace): Promise<IdempotentResponse | null> {
    const [response] = await this.database.query(this.atPlace, { ...place });
    return response ?? null;
  }

  /** Stores a response; one that was stored since the expiry stays. @returns true if it was stored */
  async insert(
    response: Readonly<Record<(typeof COLUMNS)[number], BoundValue>>,
    expiry: Date,
  ): Promise<boolean> {
    const kept = await this.database.query(this.insertion, { ...response, expiry });
    return kept.length > 0;
  }

  /** Deletes some of those stored before an instant. @returns whether there may be more */
  deleteBefore(instant: Date): Promise<boolean> {
    return this.responses.deleteBatch('createdAt', instant);
  }

  /**
   * Takes the slot of a response for the transaction in progress, until that ends in whatever way.
   *
   * @returns true if no other request has the slot, as far as the server can tell
   */
  async lock(place: ResponsePlace): Promise<boolean> {
    // On SQLite there is one transaction at a time.
    if (this.database.engine === 'sqlite') return true;
    const name = hash('sha256', nameOf(place), 'buffer').readBigInt64BE();
    this.hasLocks ??= await hasAdvisoryLocks(this.database.dataSource);
    if (!this.hasLocks) return true;
    const sql = 'SELECT pg_try_advisory_xact_lock($1) AS locked';
    const [row] = await this.database.dataSource.query<{ locked: boolean }[]>(sql, [name]);
    return row?.locked === true;
  }
}

function selectAt(manager: EntityManager) {
  const query = manager.createQueryBuilder(IdempotentResponse, 'response').select('response.key', 'key');
  for (const name of COLUMNS.filter((each) => each !== 'key')) query.addSelect(`response.${name}`, name);
  return query.where(
    'response.lineageId = :lineageId AND response.operation = :operation AND response.key = :key',
    parameters(['lineageId', 'operation', 'key']),
  );
}
