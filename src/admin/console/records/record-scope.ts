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
import type { ConsoleRequest } from '../console-request';
import { actionPath, manyOf } from './record-paths';

const NO_ACTIONS: RecordActions = { create: false, update: false, remove: false, restore: false };

/** An action of a module that the person may take. */
export interface ModuleAction {
  readonly name: string;
  readonly action: AdminAction;
  /** The page that asks for confirmation, without the records. */
  readonly path: string;
}

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

  /** What the person may do with records of a kind besides: the actions of the module, given the scope of each. */
  moduleActionsOf(kind: AdminRecords, request: ConsoleRequest): ModuleAction[] {
    return actionsIn(kind)
      .filter(([, action]) => request.can(actionScope(kind, action)))
      .map(([name, action]) => ({ name, action, path: actionPath(kind, name) }));
  }

  /** An action of the module. @throws AppError when there is none of the name, or the person lacks its scope */
  moduleActionNamed(kind: AdminRecords, request: ConsoleRequest, name: string): AdminAction {
    const [, action] = actionsIn(kind).find(([each]) => each === name) ?? [];
    if (!action) throw new PageNotFoundError(`The rules of ${manyOf(kind)} do not provide for this.`);
    requireScope(request, actionScope(kind, action));
    return action;
  }

  /** @throws NotAllowedError when the person lacks the scope that changes records */
  requireChanges(kind: AdminRecords, request: ConsoleRequest): void {
    requireScope(request, changeScope(kind));
  }

  /** @throws AppError when the person lacks the scope, or the feature offers no such action */
  requireAction(kind: AdminRecords, request: ConsoleRequest, action: keyof RecordActions): void {
    this.requireChanges(kind, request);
    if (!this.records.actionsOf(kind)[action]) {
      throw new PageNotFoundError(`The rules of ${manyOf(kind)} do not provide for this.`);
    }
  }
}

function requireScope(request: ConsoleRequest, scope: string): void {
  if (!request.can(scope)) throw new NotAllowedError(`You do not have the scope ${scope}, which this needs.`);
}
