import { Injectable } from '@nestjs/common';
import { type AdminRecords, changeScope } from '../../../../platform/features/admin-records';
import type { FieldTexts } from '../../../records/record-values';
import { UndoService } from '../../../records/undo.service';
import type { ConsoleRequest } from '../../http/console-request';
import type { Notice } from '../../../../platform/features/console-page';
import { patchFields } from './record-form';
import { undoPath } from '../record-paths';
import type { LeftAlone } from '../../../records/record-change';
import { countText } from '../../ui/count-text';
import { exact } from '../../ui/number-text';
import { choiceInWords } from '../../../records/value-text';

/** Number of ids that a notice names. */
const NAMED = 20;

/** Notices of changes that were just made. */
@Injectable()
export class ChangeNotices {
  constructor(private readonly undoing: UndoService) {}

  /** The notice of a change of one record, with a button to undo it. */
  async notice(recordType: AdminRecords, id: bigint, text: string): Promise<Notice> {
    const change = await this.undoing.justMade(recordType, id);
    return { tone: 'success', text, undo: change === undefined ? undefined : undoPath(recordType, change) };
  }

  /** The notice of a module's action, with a button to undo all of it where that is possible. */
  noticeOfAction(
    recordType: AdminRecords,
    name: string,
    change: bigint | undefined,
    text: string,
    request: ConsoleRequest,
  ): Notice {
    const isOffered =
      change !== undefined && this.isUndoable(recordType, name) && request.mayChange(changeScope(recordType));
    return { tone: 'success', text, undo: isOffered ? undoPath(recordType, change) : undefined };
  }

  /** True if an action of a module can be undone. */
  isUndoable(recordType: AdminRecords, name: string): boolean {
    return this.undoing.isOffered(recordType, {
      action: `${recordType.name}.${name}`,
      subjectType: recordType.name,
    });
  }
}

/**
 * Describes a change of records: `marked as Sold` if all fields are enums that were set, `changed` otherwise.
 *
 * @param texts new values by field; an empty text for no value
 */
export function changeInWords(recordType: AdminRecords, texts: FieldTexts): string {
  const fields = patchFields(recordType).filter(({ name }) => texts[name] !== undefined);
  if (fields.some((field) => field.kind !== 'enum' || texts[field.name] === '')) return 'changed';
  return `marked as ${fields.map((field) => choiceInWords(field, texts[field.name] ?? '')).join(' and ')}`;
}

/** Sentences on the records that a change of many left alone because the feature refused them; empty if there are none. */
export function refusedInWords(recordType: AdminRecords, refused: readonly LeftAlone[]): string {
  const [first] = refused;
  if (!first) return '';
  const all = `${countText(recordType, refused.length)} ${wasOrWere(refused)} refused and left alone: ${idsInWords(refused)}.`;
  return ` ${all} ${first.id}: ${first.reason}`;
}

export function idsInWords(records: readonly LeftAlone[]): string {
  const more = records.length > NAMED ? ` and ${exact(records.length - NAMED)} more` : '';
  return `${records
    .slice(0, NAMED)
    .map(({ id }) => id)
    .join(', ')}${more}`;
}

export function wasOrWere({ length }: readonly unknown[]): string {
  return length === 1 ? 'was' : 'were';
}
