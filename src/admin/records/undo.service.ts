import { Injectable } from '@nestjs/common';
import { currentActor } from '../../platform/security/actor';
import type { AuditEvent } from '../../platform/audit/audit-event.entity';
import { AuditEventsRepository } from '../../platform/audit/audit-events.repository';
import { AuditLog, type AuditedChange } from '../../platform/audit/audit-log';
import { isErased } from '../../platform/audit/erased';
import { Database } from '../../platform/database/database';
import { explainingRefusals } from '../../platform/database/entities/constraint-errors';
import { AppError } from '../../platform/errors/app-error';
import type { AdminRecords } from '../../platform/features/admin-records';
import { entityTag } from '../../platform/http/request/conditional';
import type { MergePatch } from '../../platform/validation/merge-patch';
import { parseDecimalInt64 } from '../../platform/values/int64';
import { changedMembers, viewEvent } from '../audit/audit-trail.service';
import { actionOfEach, bulkSummary, isBulk, isOfImport } from '../audit/bulk-changes';
import { OlderChanges } from '../audit/older-changes.service';
import { BULK_PIECE, BulkChanges, type ChangedPiece } from './bulk-changes.service';
import { fieldNamed } from './record-fields';
import { validate } from './record-values';
import {
  ChangeNotFoundError,
  RecordChangedError,
  RecordNotRemovedError,
  RecordRefusedError,
  RecordRemovedError,
  ValueErasedError,
} from './records.errors';
import { LockedRecords } from './locked-records.service';
import { ManyRecords } from './many-records.service';
import { changeOf, impersonal, type LeftAlone } from './record-change';
import { RecordsService } from './records.service';
import type { RecordValues } from './stored-record';

/** The result of undoing a change. */
export interface UndoOutcome {
  /** Number of records that are as before the change. */
  readonly undone: number;
  readonly leftAlone: readonly LeftAlone[];
  /** The event about the undoing, which can be undone in turn; undefined if nothing was undone. */
  readonly change: bigint | undefined;
  /** The reason why the undo of a bulk change ended before its end; unset if it did not. */
  readonly stopped?: string;
}

/** The operation that a feature must offer for a change to be undone, by the change. */
const NEEDED: Readonly<Record<string, 'remove' | 'restore' | 'update' | undefined>> = {
  create: 'remove',
  update: 'update',
  remove: 'restore',
  restore: 'remove',
};

/** Undoes changes of operators, by the features' own rules. A record that was changed since is never touched. */
@Injectable()
export class UndoService {
  constructor(
    private readonly records: RecordsService,
    private readonly bulk: BulkChanges,
    private readonly many: ManyRecords,
    private readonly locked: LockedRecords,
    private readonly audit: AuditLog,
    private readonly events: AuditEventsRepository,
    private readonly older: OlderChanges,
    private readonly database: Database,
  ) {}

  /** True if a change is of a kind that can be undone, as far as is known without looking at the records. */
  isOffered(
    recordType: AdminRecords,
    event: Pick<AuditEvent, 'action' | 'subjectType'> & Partial<Pick<AuditEvent, 'subjectId'>>,
  ): boolean {
    if (event.subjectType !== recordType.name || isOfImport(event)) return false;
    const verb = verbOf(event);
    const needed = recordType.actions?.[verb]?.isUndoable ? 'update' : NEEDED[verb];
    return needed !== undefined && this.records.actionsOf(recordType)[needed];
  }

  /** The change that the request in progress has just made to a record; undefined if there was another one since. */
  async justMade(recordType: AdminRecords, id: bigint): Promise<bigint | undefined> {
    const event = await this.audit.latest({ type: recordType.name, id });
    return event && event.requestId === currentActor().requestId ? event.id : undefined;
  }

  /**
   * Counts the records of a change that can be undone. Whether a record was changed since is seen when its turn comes.
   *
   * @throws ChangeNotFoundError or RecordRefusedError
   */
  async count(recordType: AdminRecords, change: bigint): Promise<number> {
    const event = await this.find(recordType, change);
    return isBulk(event) ? (bulkSummary(viewEvent(event))?.changed ?? 0) : 1;
  }

  /**
   * Undoes a change: that of one record in one transaction, a bulk change piece by piece, except for records that were changed since
   * or that the feature refuses. A bulk change that is still running ends.
   *
   * @throws ChangeNotFoundError, RecordChangedError, RecordRefusedError, or what the feature's service throws
   */
  async undo(recordType: AdminRecords, change: bigint): Promise<UndoOutcome> {
    const event = await this.find(recordType, change);
    if (isBulk(event)) return this.undoBulk(recordType, event);
    return this.database.transaction(async () =>
      this.undoSingle(recordType, await this.find(recordType, change)),
    );
  }

  /** @throws ChangeNotFoundError or RecordRefusedError */
  private async find(recordType: AdminRecords, change: bigint): Promise<AuditEvent> {
    const event = await this.audit.find(change);
    if (event?.subjectType !== recordType.name) throw new ChangeNotFoundError(recordType.name, change);
    if (!this.isOffered(recordType, event)) throw new RecordRefusedError(`${event.action} cannot be undone.`);
    return event;
  }

  private async undoSingle(recordType: AdminRecords, event: AuditEvent): Promise<UndoOutcome> {
    const id = parseDecimalInt64(event.subjectId) as bigint;
    const undone = await explainingRefusals(this.database, async () => {
      const now = verbOf(event) === 'remove' ? undefined : await this.locked.find(recordType, id);
      return this.undoOne(recordType, id, event, now);
    });
    const isUpdate = undone.before !== undefined && undone.after !== undefined;
    const set = isUpdate ? impersonal(recordType, inverseOf(recordType, event)) : {};
    // As a bulk change of one record, so that history and audit log tell what was undone.
    const { change } = await this.records.recordBulk(recordType, [undone], { undoes: event.id, set });
    return { undone: 1, leftAlone: [], change };
  }

  private async undoBulk(
    recordType: AdminRecords,
    { id, subjectType, subjectId, action }: AuditEvent,
  ): Promise<UndoOutcome> {
    await this.older.join({ subjectType, subjectId, action });
    const { whole } = await this.find(recordType, id);
    const change = whole ?? id;
    const { changed, ...outcome } = await this.bulk.inPieces(
      recordType,
      this.piecesOf(change, actionOfEach({ action })),
      { undoes: change },
      async (events) => {
        await this.events.lock(change);
        return this.undoPiece(recordType, events);
      },
    );
    return { undone: changed, ...outcome };
  }

  /** The events about the records of a bulk change, those included that it records before the undo has recorded its first piece. */
  private async *piecesOf(change: bigint, action: string): AsyncGenerator<AuditEvent[], void, undefined> {
    for (let after = 0n; ;) {
      const events = await this.events.partsOf(change, action, after, BULK_PIECE);
      const last = events.at(-1);
      if (!last) return;
      yield events;
      after = last.id;
    }
  }

  private async undoPiece(recordType: AdminRecords, events: readonly AuditEvent[]): Promise<ChangedPiece> {
    const results = await this.many.each(events, (event) => this.undoUnlessChanged(recordType, event));
    const changes: AuditedChange[] = [];
    const leftAlone: LeftAlone[] = [];
    for (const [index, { subjectId }] of events.entries()) {
      const result = results[index] as AuditedChange | LeftAlone | AppError;
      if (result instanceof AppError) leftAlone.push({ id: BigInt(subjectId), ...leftAloneBy(result) });
      else if ('because' in result) leftAlone.push(result);
      else changes.push(result);
    }
    return { changes, leftAlone };
  }

  /** Undoes the change of a record, or says that the record was changed since, which refuses nothing to the others. */
  private async undoUnlessChanged(
    recordType: AdminRecords,
    event: AuditEvent,
  ): Promise<AuditedChange | LeftAlone> {
    const id = BigInt(event.subjectId);
    try {
      return await this.undoOne(recordType, id, event);
    } catch (error) {
      const because = whyLeftAlone(error);
      if (!because) throw error;
      return { id, because };
    }
  }

  /** @param now the present values of the record; as the change made them unless given */
  private async undoOne(
    recordType: AdminRecords,
    id: bigint,
    event: AuditEvent,
    now = viewEvent(event).after as RecordValues,
  ): Promise<AuditedChange> {
    const verb = verbOf(event);
    if (verb === 'remove') return this.records.restoreOne(recordType, id);
    if (verb === 'create' || verb === 'restore')
      return this.records.removeOne(recordType, now, versionAfter(event));
    const patch = inverseOf(recordType, event);
    const restored = await this.records.change(recordType, now, patch, versionAfter(event));
    return changeOf(recordType, 'update', id, now, restored);
  }
}

/** The verb of a change, for a bulk change that of each record. */
function verbOf(event: Pick<AuditEvent, 'action'>): string {
  const action = actionOfEach(event);
  return action.slice(action.indexOf('.') + 1);
}

/** The version of a record just after a change. */
function versionAfter({ after }: AuditEvent): string {
  return entityTag(after ?? '');
}

/**
 * The patch that restores the fields of a record that a change changed.
 *
 * @throws RecordRefusedError, ValueErasedError, or InvalidRecordError if the rules have become stricter
 */
function inverseOf(recordType: AdminRecords, event: AuditEvent): MergePatch<object> {
  const { patch = Object } = recordType;
  const changes = changedMembers(viewEvent(event));
  const fixed = changes.find(({ member }) => !fieldNamed(patch, member));
  if (fixed) throw new RecordRefusedError(`The ${fixed.member} of the ${recordType.one} cannot be changed.`);
  const erased = changes.find(({ before }) => isErased(before));
  if (erased) throw new ValueErasedError(`The former ${erased.member} is erased.`);
  return validate(patch, Object.fromEntries(changes.map(({ member, before }) => [member, before ?? null])));
}

/** The reason why a record is left alone that was refused. */
export function leftAloneBy(refusal: AppError): Omit<LeftAlone, 'id'> {
  const because = whyLeftAlone(refusal);
  return because ? { because } : { because: 'refused', reason: refusal.message };
}

/** The reason why a record is left alone; undefined for an error that is none. */
function whyLeftAlone(error: unknown): 'changed' | 'removed' | undefined {
  const isChanged = [RecordChangedError, RecordNotRemovedError, ValueErasedError].some(
    (each) => error instanceof each,
  );
  if (isChanged) return 'changed';
  if (error instanceof RecordRemovedError) return 'removed';
  return error instanceof AppError && error.status === 404 ? 'removed' : undefined;
}
