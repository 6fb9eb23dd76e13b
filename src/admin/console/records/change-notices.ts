import { Injectable } from '@nestjs/common';
import { type AdminRecords, changeScope } from '../../../platform/features/admin-records';
import { UndoService } from '../../records/undo.service';
import type { ConsoleRequest } from '../console-request';
import type { Notice } from '../page';
import { undoPath } from './record-paths';

/** What pages say of a change that was just made. */
@Injectable()
export class ChangeNotices {
  constructor(private readonly undoing: UndoService) {}

  /** The notice of a change of one record, which can be undone there. */
  async notice(kind: AdminRecords, id: bigint, text: string): Promise<Notice> {
    const change = await this.undoing.justMade(kind, id);
    return { tone: 'success', text, undo: change === undefined ? undefined : undoPath(kind, change) };
  }

  /** The notice of what a module's action did, with all of it to be undone where that goes. */
  noticeOfAction(
    kind: AdminRecords,
    name: string,
    change: bigint | undefined,
    text: string,
    request: ConsoleRequest,
  ): Notice {
    const isOffered = change !== undefined && this.isUndoable(kind, name) && request.can(changeScope(kind));
    return { tone: 'success', text, undo: isOffered ? undoPath(kind, change) : undefined };
  }

  /** Whether an action of a module can be undone. */
  isUndoable(kind: AdminRecords, name: string): boolean {
    return this.undoing.isOffered(kind, { action: `${kind.name}.${name}`, subjectType: kind.name });
  }
}
