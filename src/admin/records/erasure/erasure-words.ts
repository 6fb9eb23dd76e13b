import { type Subject, subjectText } from '../../../platform/audit/subject';
import type { Erasure } from './erasure.service';

/** Says in sentences what an erasure did and what it left. */
export function erasureInWords(
  subject: Subject,
  { values, left, hasPersonalFields, isOffDisk }: Erasure,
): string[] {
  const counted = values === 1 ? '1 value' : `${values.toLocaleString('en')} values`;
  const sentences = [`${counted} of ${subjectText(subject)} ${values === 1 ? 'was' : 'were'} erased.`];
  if (!hasPersonalFields) sentences.push(nothingPersonal(subject.type));
  if (left.length > 0) {
    sentences.push(
      subject.type === 'keys'
        ? 'The key still has its owner: revoke the key, then erase again.'
        : `The record still has ${left.join(', ')}: remove or change the record, then erase again.`,
    );
  }
  if (!isOffDisk) {
    sentences.push(
      'Another process still reads old pages of the database. Erase again to clear the -wal file of the pages.',
    );
  }
  return sentences;
}

/** Says why an erasure finds no value in records of a type. */
export function nothingPersonal(recordType: string): string {
  return `No field of ${recordType} is marked isPersonal, so the values of ${recordType} stay.`;
}
