import { Injectable } from '@nestjs/common';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { UndoService } from '../../records/undo.service';
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
}
