import { createDecipheriv } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { batchesOf } from '../database/statements/batches';
import { exactJson } from '../values/exact-json';
import { readJson } from '../values/json-reader';
import type { AuditEvent } from './audit-event.entity';
import { ERASED } from './erased';
import { PersonalKey } from './personal-key.entity';
import { PersonalValue } from './personal-value.entity';

/** Events of one statement. */
const BATCH = 200;

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Random bytes in front of each value. */
const SALT_BYTES = 32;

const COMMITMENT = /^sha256:[\w-]{43}$/;

interface StoredValue extends Pick<PersonalValue, 'eventId' | 'member' | 'sealed'> {
  readonly key: string;
}

/**
 * Personal values of audit events that version 1.1.0 has recorded: the event has a hash in the place of each, and the value lies
 * beside it, encrypted with a key of its subject. Nodes of 1.1.0 may still add some.
 */
@Injectable()
export class EncryptedValues {
  constructor(private readonly database: Database) {}

  /** Returns events with their values; a value that is erased reads `[erased]`. */
  async reveal(events: readonly AuditEvent[]): Promise<AuditEvent[]> {
    const ids = events.filter(hasHashes).map(({ id }) => id);
    if (ids.length === 0) return [...events];
    const values = new Map<string, unknown>();
    for (const batch of batchesOf(ids, BATCH)) {
      for (const { eventId, member, sealed, key } of await this.valuesOf(batch)) {
        values.set(`${eventId} ${member}`, decrypted(sealed, key));
      }
    }
    return events.map((event) =>
      hasHashes(event) ? revealed(event, (member) => values.get(`${event.id} ${member}`) ?? ERASED) : event,
    );
  }

  private valuesOf(ids: readonly bigint[]): Promise<StoredValue[]> {
    return this.database.dataSource
      .getRepository(PersonalValue)
      .createQueryBuilder('stored')
      .select('stored.eventId', 'eventId')
      .addSelect('stored.member', 'member')
      .addSelect('stored.sealed', 'sealed')
      .addSelect('held.key', 'key')
      .innerJoin(
        PersonalKey,
        'held',
        'held.subjectType = stored.subjectType AND held.subjectId = stored.subjectId',
      )
      .where('stored.eventId IN (:...ids)', { ids })
      .getRawMany<StoredValue>();
  }
}

/** True of what stands in before or after in the place of an encrypted value. */
export function isHashed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isHash((value as { personal?: unknown }).personal);
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && COMMITMENT.test(value);
}

function hasHashes({ actorName, address, before, after }: AuditEvent): boolean {
  const inMembers = [before, after].some((json) => json?.includes('{"personal":"sha256:'));
  return inMembers || isHash(actorName) || isHash(address);
}

function revealed(event: AuditEvent, valueOf: (member: string) => unknown): AuditEvent {
  const column = (name: 'actorName' | 'address') =>
    isHash(event[name]) ? (valueOf(name) as string) : event[name];
  const members = (side: 'before' | 'after') => {
    const json = event[side];
    if (json === null) return null;
    const entries = Object.entries(readJson(Buffer.from(json)) as object) as [string, unknown][];
    return exactJson(
      Object.fromEntries(
        entries.map(([name, value]) => [name, isHashed(value) ? valueOf(`${side}.${name}`) : value]),
      ),
    );
  };
  return Object.assign({}, event, {
    actorName: column('actorName'),
    address: column('address'),
    before: members('before'),
    after: members('after'),
  });
}

/** Decrypts a value. @returns undefined if it is not encrypted with this key: an erasure of 1.1.0 that was interrupted left it */
function decrypted(sealed: string, key: string): unknown {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64url'), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return readJson(text.subarray(SALT_BYTES));
  } catch {
    return undefined;
  }
}
