import type { Type } from '@nestjs/common';
import { fieldsOf } from '../record-fields';
import { rowsInWords } from './rows-in-words';

/** Added rows in which a required text is empty: allowed, but seldom meant. */
export interface EmptyText {
  readonly field: string;
  readonly rows: number;
  /** The line of the first row. */
  readonly line: number;
}

/** Counts empty texts by field. */
export class EmptyTexts {
  private readonly fields: readonly string[];
  private readonly counted = new Map<string, EmptyText>();

  constructor(creation: Type) {
    this.fields = fieldsOf(creation)
      .filter(({ kind, isOptional }) => kind === 'text' && !isOptional)
      .map(({ name }) => name);
  }

  add(line: number, creation: object): void {
    for (const field of this.fields) {
      if ((creation as Record<string, unknown>)[field] !== '') continue;
      const { rows, line: first } = this.counted.get(field) ?? { rows: 0, line };
      this.counted.set(field, { field, rows: rows + 1, line: first });
    }
  }

  list(): EmptyText[] {
    return [...this.counted.values()];
  }
}

/** Writes a warning about an empty text in words. */
export function emptyTextInWords({ field, rows, line }: EmptyText): string {
  if (rows === 1) return `Line ${line} has an empty ${field}.`;
  return `${rowsInWords(rows)} have an empty ${field}; the first is line ${line}.`;
}
