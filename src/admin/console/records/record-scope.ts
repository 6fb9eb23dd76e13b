import { Injectable } from '@nestjs/common';
import type { AdminAction } from '../../../platform/features/admin-action';
import {
  actionScope,
  actionsIn,
  type AdminRecords,
  changeScope,
} from '../../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../../platform/values/int64';
import type { RecordActions } from '../../records/record-actions';
import { REMOVE } from '../../records/record-actions.service';
import { RecordsService } from '../../records/records.service';
import type { StoredRecord } from '../../records/stored-record';
import { NotAllowedError, PageNotFoundError } from '../console.errors';
import type { ConsoleRequest } from '../http/console-request';
import { manyOf, titleOf } from '../../records/record-names';
import { actionPath } from './record-paths';

const NO_ACTIONS: RecordActions = { create: false, update: false, remove: false, restore: false };

/** An action of a module that the operator may take. */
export interface ModuleAction {
  readonly name: string;
  readonly action: AdminAction;
  /** The page that asks for confirmation, without the records in its query. */
  readonly path: string;
}

/** Finds the records that the address of a page names, and decides what the operator may do with them. */
@Injectable()
export class RecordScope {
  constructor(private readonly records: RecordsService) {}

  /** Finds a record type by its name. @throws PageNotFoundError */
  recordTypeNamed(name: string): AdminRecords {
    const recordType = this.records.recordTypeNamed(name);
    if (!recordType) throw new PageNotFoundError('There are no records of this name.');
    return recordType;
  }

  /** Finds a record by the id in an address. @throws PageNotFoundError or RecordNotFoundError */
  async recordWithId(recordType: AdminRecords, text: string): Promise<StoredRecord> {
    const id = parseDecimalInt64(text);
    if (id === undefined) throw new PageNotFoundError(`No ${recordType.one} can have this id.`);
    return this.records.get(recordType, id);
  }

  /** The actions that the feature offers for records of a type, if the operator may change them now. */
  actionsOf(recordType: AdminRecords, request: ConsoleRequest): RecordActions {
    return request.mayChange(changeScope(recordType)) ? this.records.actionsOf(recordType) : NO_ACTIONS;
  }

  /** The actions of the module for records of a type that the operator may take now. */
  moduleActionsOf(recordType: AdminRecords, request: ConsoleRequest): ModuleAction[] {
    return actionsIn(recordType)
      .filter(([, action]) => request.mayChange(actionScope(recordType, action)))
      .map(([name, action]) => ({ name, action, path: actionPath(recordType, name) }));
  }

  /**
   * Finds an action: removal, or one of the module.
   *
   * @throws AppError if there is no action of this name, or the operator lacks its scope
   */
  actionNamed(recordType: AdminRecords, request: ConsoleRequest, name: string): AdminAction {
    if (name === REMOVE) {
      this.requireAction(recordType, request, 'remove');
      return removalOf(recordType, this.records.actionsOf(recordType));
    }
    const [, action] = actionsIn(recordType).find(([each]) => each === name) ?? [];
    if (!action) throw new PageNotFoundError(`${titleOf(recordType)} do not have this action.`);
    requireScope(request, actionScope(recordType, action));
    return action;
  }

  /** Requires the scope that changes records. @throws NotAllowedError if the operator lacks it */
  requireChanges(recordType: AdminRecords, request: ConsoleRequest): void {
    requireScope(request, changeScope(recordType));
  }

  /**
   * Requires an action of the feature.
   *
   * @throws AppError if the operator lacks the scope, or the feature does not offer the action
   */
  requireAction(recordType: AdminRecords, request: ConsoleRequest, action: keyof RecordActions): void {
    this.requireChanges(recordType, request);
    if (!this.records.actionsOf(recordType)[action]) {
      throw new PageNotFoundError(`${titleOf(recordType)} do not have this action.`);
    }
  }
}

/** The removal of records, as an action. */
function removalOf(recordType: AdminRecords, { restore }: RecordActions): AdminAction {
  const many = manyOf(recordType);
  return {
    title: 'Remove',
    done: 'removed',
    description: restore
      ? `API clients no longer find removed ${many}. You can restore each from its page.`
      : `Removed ${many} are deleted for good.`,
  };
}

function requireScope(request: ConsoleRequest, scope: string): void {
  if (!request.can(scope))
    throw new NotAllowedError(`You do not have the scope ${scope}, which this page needs.`);
}
