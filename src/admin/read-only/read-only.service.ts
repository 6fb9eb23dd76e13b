import { Injectable } from '@nestjs/common';
import { currentActor } from '../../platform/security/actor';
import { AuditLog } from '../../platform/audit/audit-log';
import { Database } from '../../platform/database/database';
import { ServiceModesRepository } from '../../platform/read-only/service-modes.repository';

const SUBJECT = { type: 'read-only', id: 'service' };

/** The state of read-only mode, as operators see it. */
export interface ReadOnlyView {
  readonly isOn: boolean;
  /** Time at which an operator switched it on; null while it is off. */
  readonly since: string | null;
  readonly actor: string | null;
  readonly reason: string | null;
}

/** Switches read-only mode on and off, for all nodes. */
@Injectable()
export class ReadOnlyService {
  constructor(
    private readonly modes: ServiceModesRepository,
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  async view(): Promise<ReadOnlyView> {
    const row = await this.modes.find();
    return {
      isOn: row !== null,
      since: row?.since.toISOString() ?? null,
      actor: row?.actor ?? null,
      reason: row?.reason ?? null,
    };
  }

  switchOn(reason: string | null): Promise<ReadOnlyView> {
    return this.database.transaction(async () => {
      await this.modes.insert({ since: new Date(), actor: currentActor().name, reason });
      const change = { action: 'read-only.on', subject: SUBJECT, after: { reason } };
      await this.audit.recordWhileReadOnly(change);
      return this.view();
    });
  }

  switchOff(): Promise<ReadOnlyView> {
    return this.database.transaction(async () => {
      if (await this.modes.delete()) {
        await this.audit.recordWhileReadOnly({ action: 'read-only.off', subject: SUBJECT });
      }
      return this.view();
    });
  }
}
