import { Injectable } from '@nestjs/common';
import { type AdminRecords, changeScope } from '../../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../../platform/values/int64';
import type { RecordActions } from '../../records/record-actions';
import { RecordsService } from '../../records/records.service';
import type { StoredRecord } from '../../records/stored-record';
import { NotAllowedError, PageNotFoundError } from '../console.errors';
import type { ConsoleRequest } from '../console-request';
import { manyOf } from './record-paths';

const NO_ACTIONS: RecordActions = { create: false, update: false, remove: false, restore: false };

/** Finds what the address of a page names, and says what the operator may do with it. */
@Injectable()
export class RecordScope {
  constructor(private readonly records: RecordsService) {}

  /** The kind of records of a name. @throws PageNotFoundError */
  kindNamed(name: string): AdminRecords {
    const kind = this.records.kindNamed(name);
    if (!kind) throw new PageNotFoundError('There are no records of this name.');
    return kind;
  }

  /** A record by the id in an address. @throws PageNotFoundError or RecordNotFoundError */
  async recordWithId(kind: AdminRecords, text: string): Promise<StoredRecord> {
    const id = parseDecimalInt64(text);
    if (id === undefined) throw new PageNotFoundError(`This is not the id of any ${kind.one}.`);
    return this.records.get(kind, id);
  }

  /** What the person may do with records of a kind: every action the feature offers, given the scope for it. */
  actionsOf(kind: AdminRecords, request: ConsoleRequest): RecordActions {
    return request.can(changeScope(kind)) ? this.records.actionsOf(kind) : NO_ACTIONS;
  }

  /** @throws NotAllowedError when the person lacks the scope that changes records */
  requireChanges(kind: AdminRecords, request: ConsoleRequest): void {
    if (!request.can(changeScope(kind))) {
      throw new NotAllowedError(`You do not have the scope ${changeScope(kind)}, which this needs.`);
    }
  }

  /** @throws AppError when the person lacks the scope, or the feature offers no such action */
  requireAction(kind: AdminRecords, request: ConsoleRequest, action: keyof RecordActions): void {
    this.requireChanges(kind, request);
    if (!this.records.actionsOf(kind)[action]) {
      throw new PageNotFoundError(`The rules of ${manyOf(kind)} do not provide for this.`);
    }
  }
}
