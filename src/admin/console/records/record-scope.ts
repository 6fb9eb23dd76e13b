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
import { RecordsService } from '../../records/records.service';
import type { StoredRecord } from '../../records/stored-record';
import { NotAllowedError, PageNotFoundError } from '../console.errors';
import type { ConsoleRequest } from '../http/console-request';
import { manyOf } from '../ui/record-names';
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
  kindNamed(name: string): AdminRecords {
    const kind = this.records.kindNamed(name);
    if (!kind) throw new PageNotFoundError('There are no records of this name.');
    return kind;
  }

  /** Finds a record by the id in an address. @throws PageNotFoundError or RecordNotFoundError */
  async recordWithId(kind: AdminRecords, text: string): Promise<StoredRecord> {
    const id = parseDecimalInt64(text);
    if (id === undefined) throw new PageNotFoundError(`No ${kind.one} can have this id.`);
    return this.records.get(kind, id);
  }

  /** The actions that the feature offers for records of a type, if the operator has the scope for them. */
  actionsOf(kind: AdminRecords, request: ConsoleRequest): RecordActions {
    return request.can(changeScope(kind)) ? this.records.actionsOf(kind) : NO_ACTIONS;
  }

  /** The actions of the module for records of a type for which the operator has the scope. */
  moduleActionsOf(kind: AdminRecords, request: ConsoleRequest): ModuleAction[] {
    return actionsIn(kind)
      .filter(([, action]) => request.can(actionScope(kind, action)))
      .map(([name, action]) => ({ name, action, path: actionPath(kind, name) }));
  }

  /** Finds an action of the module. @throws AppError if there is no action of this name, or the operator lacks its scope */
  moduleActionNamed(kind: AdminRecords, request: ConsoleRequest, name: string): AdminAction {
    const [, action] = actionsIn(kind).find(([each]) => each === name) ?? [];
    if (!action) throw new PageNotFoundError(`This cannot be done with ${manyOf(kind)}.`);
    requireScope(request, actionScope(kind, action));
    return action;
  }

  /** Requires the scope that changes records. @throws NotAllowedError if the operator lacks it */
  requireChanges(kind: AdminRecords, request: ConsoleRequest): void {
    requireScope(request, changeScope(kind));
  }

  /**
   * Requires an action of the feature.
   *
   * @throws AppError if the operator lacks the scope, or the feature does not offer the action
   */
  requireAction(kind: AdminRecords, request: ConsoleRequest, action: keyof RecordActions): void {
    this.requireChanges(kind, request);
    if (!this.records.actionsOf(kind)[action]) {
      throw new PageNotFoundError(`This cannot be done with ${manyOf(kind)}.`);
    }
  }
}

function requireScope(request: ConsoleRequest, scope: string): void {
  if (!request.can(scope)) throw new NotAllowedError(`You do not have the scope ${scope}, which this needs.`);
}
