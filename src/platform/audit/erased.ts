/** Text in place of a personal value that is erased. */
export const ERASED = '[erased]';

/** Returns the text of a record in place of a personal value that is erased. */
export function erasedText(id: bigint): string {
  return `[erased ${id}]`;
}

/** True of {@link ERASED} and {@link erasedText}. */
export function isErased(value: unknown): boolean {
  return typeof value === 'string' && /^\[erased( \d+)?\]$/.test(value);
}
