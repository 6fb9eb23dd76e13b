import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AuditLog, type AuditedChange } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { explainingRefusals } from '../../platform/database/entities/constraint-errors';
import type { AdminRecords } from '../../platform/features/admin-records';
import { forOperators } from './for-operators';
import { LockedRecords } from './locked-records.service';
import { changeOf, type RecordedBulk } from './record-change';
import { RecordRefusedError } from './records.errors';
import { RecordsService } from './records.service';
import { recordValues } from './stored-record';

/** A record to act on. */
export interface ActionTarget {
  readonly id: bigint;
  /** Version of the record that the operator saw; without it the action runs whatever the record is. */
  readonly version?: string | undefined;
}

/** Methods of a module's service, by their names. */
type Methods = Readonly<Record<string, (id: bigint) => Promise<object>>>;

/** Most records of one transaction: some fifty milliseconds of SQLite's write lock. */
const MAX_TOGETHER = 500;

/** The name under which removing counts among the actions; no module has an action of this name. */
export const REMOVE = 'remove';

/** Removes records, and runs the actions that a module offers on them besides. */
@Injectable()
export class RecordActionsService {
  constructor(
    private readonly records: RecordsService,
    private readonly locked: LockedRecords,
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly modules: ModuleRef,
  ) {}

  /**
   * Runs an action on records, in one transaction: on all of them or none. Each is recorded, even if its fields stay the same.
   *
   * @param name the name of the action, or {@link REMOVE}
   * @throws RecordNotFoundError, RecordChangedError, or what the module's service throws; for several records
   * RecordRefusedError, which names the one at fault
   */
  run(recordType: AdminRecords, name: string, targets: readonly ActionTarget[]): Promise<RecordedBulk> {
    if (targets.length > MAX_TOGETHER)
      throw new RecordRefusedError(
        `This can be done with at most ${MAX_TOGETHER} ${recordType.name} at once.`,
      );
    return this.database.transaction(async () => {
      const changes: AuditedChange[] = [];
      for (const target of targets) {
        try {
          changes.push(await explainingRefusals(this.database, () => this.runOne(recordType, name, target)));
        } catch (error) {
          if (targets.length === 1) throw error;
          throw this.records.refusalOf(recordType, target.id, error, 'Nothing was changed.');
        }
      }
      const [change] = changes;
      if (!change || changes.length > 1) return this.records.recordBulk(recordType, changes);
      return { changed: 1, change: await this.audit.record(change) };
    });
  }

  private async runOne(
    recordType: AdminRecords,
    name: string,
    { id, version }: ActionTarget,
  ): Promise<AuditedChange> {
    const before = await this.locked.find(recordType, id);
    if (name === REMOVE) return this.records.removeOne(recordType, before, version);
    if (version !== undefined) await this.locked.assertVersion(recordType, before, version);
    const service = forOperators(this.modules.get<Methods>(recordType.service, { strict: false }));
    const after = await (service[name] as Methods[string]).call(service, id);
    return changeOf(recordType, name, id, before, recordValues(recordType, after));
  }
}
