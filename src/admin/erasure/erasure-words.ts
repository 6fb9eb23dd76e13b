import type { Erasure } from './erasure.service';

/** Says in sentences what an erasure did and what it left. */
export function erasureInWords(subject: string, { values, left, isOffDisk }: Erasure): string[] {
  const counted = values === 1 ? '1 value' : `${values.toLocaleString('en')} values`;
  return [
    `${counted} of ${subject} ${values === 1 ? 'was' : 'were'} erased.`,
    ...(left.length > 0
      ? [`The record still has ${left.join(', ')}: remove or change it, then erase again.`]
      : []),
    ...(isOffDisk
      ? []
      : [
          'Another process still reads older pages of the database: erase again, so that they go from its -wal file.',
        ]),
  ];
}
