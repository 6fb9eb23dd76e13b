import { Injectable, SetMetadata } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Request } from 'express';
import { Database } from '../database/database';
import { Metrics } from '../telemetry/metrics';

export const SNAPSHOT_METADATA = 'petstore:snapshot';

/**
 * The answer depends on nothing but the request's target and the database: not on who asks, not on the time. So the bytes
 * that were written may be written again for as long as the database has not changed.
 */
export function AnswersFromDatabase(): MethodDecorator {
  return SetMetadata(SNAPSHOT_METADATA, true);
}

/** A 200 as it was written. */
export interface Snapshot {
  readonly body: string;
  readonly fields: Readonly<Record<string, string>> & { readonly ETag: string };
}

/** Where the answer to a request is to be kept. */
export interface SnapshotPlace {
  readonly name: string;
  /** The version of the database before the answer was read from it. */
  readonly version: number;
}

interface KeptSnapshot extends Snapshot {
  readonly version: number;
}

/** Most memory the snapshots take, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** How many requests are remembered as asked before; only from the second time on is a request worth the trouble. */
const MAX_ASKED = 1_024;

/** About what an entry takes besides its text, in bytes. */
const ENTRY_BYTES = 512;

/**
 * Answers kept for exactly as long as they are true: each carries the version of the database it was read from, and is
 * used only while that is still the version. PostgreSQL has no such number, so there nothing is kept.
 */
@Injectable()
export class Snapshots {
  private readonly kept = new LRUCache<string, KeptSnapshot>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, name) => 2 * (body.length + name.length) + ENTRY_BYTES,
  });

  /** Answers nobody asks for again would only be carried from one garbage collection to the next. */
  private readonly asked = new LRUCache<string, true>({ max: MAX_ASKED });

  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Where the answer to this request belongs; read before the answer is, so that a commit in between makes the answer
   * look older than it is, never newer. Undefined when nothing is to be kept.
   */
  place(request: Request): SnapshotPlace | undefined {
    const { host } = request.headers;
    if (host === undefined || !this.database.isVersioned) return undefined;
    // Links in the answer are built from the host.
    const name = `${host} ${request.url}`;
    const version = this.isAskedAgain(name) ? this.database.version() : undefined;
    if (version !== undefined) return { name, version };
    this.metrics.cacheLookups.add('answersMiss');
    return undefined;
  }

  find({ name, version }: SnapshotPlace): Snapshot | undefined {
    const snapshot = this.kept.get(name);
    const found = snapshot?.version === version ? snapshot : undefined;
    this.metrics.cacheLookups.add(found ? 'answersHit' : 'answersMiss');
    return found;
  }

  keep({ name, version }: SnapshotPlace, body: string, fields: Snapshot['fields']): void {
    this.kept.set(name, { body, fields, version });
  }

  private isAskedAgain(name: string): boolean {
    const isAgain = this.asked.get(name) !== undefined;
    if (!isAgain) this.asked.set(name, true);
    return isAgain;
  }
}
