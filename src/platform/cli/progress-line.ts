/** Progress of some work. */
export interface Progress {
  readonly done: number;
  /** Number of all items; undefined when it is not known. */
  readonly total: number | undefined;
  /** Items a second. */
  readonly rate: number;
}

/** Most columns of the bar. */
const WIDEST = 40;
/** Fewest columns of a bar that still shows something. */
const NARROWEST = 5;

/**
 * Writes one line such as `Adding pets [=====-----] 50% | 3,000/6,000 | 1,200/s | 3s left`. A narrow terminal shortens the bar,
 * and loses the last parts.
 *
 * @param columns width of the terminal; 80 when it is not known
 */
export function progressLine(label: string, { done, total, rate }: Progress, columns = 0): string {
  const parts = [amount(done) + (total === undefined ? '' : `/${amount(total)}`)];
  if (rate > 0) parts.push(`${amount(rate)}/s`);
  if (rate > 0 && total !== undefined && done < total) parts.push(`${duration((total - done) / rate)} left`);
  // A cursor in the last column is already in the next line on some terminals.
  const room = (columns || 80) - 1;
  for (;;) {
    const text = ` ${parts.join(' | ')}`;
    const line =
      total === undefined ? label + text : withBar(label, total === 0 ? 1 : done / total, text, room);
    if (line.length <= room || parts.length === 1) return line.slice(0, room);
    parts.pop();
  }
}

function withBar(label: string, part: number, text: string, room: number): string {
  const percentage = `${Math.floor(100 * part)}% |${text}`;
  const width = Math.min(WIDEST, room - `${label} [] ${percentage}`.length);
  if (width < NARROWEST) return `${label} ${percentage}`;
  const filled = Math.round(width * part);
  return `${label} [${'='.repeat(filled)}${'-'.repeat(width - filled)}] ${percentage}`;
}

function amount(count: number): string {
  return Math.round(count).toLocaleString('en');
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${Math.ceil(seconds)}s`;
  if (minutes < 60) return `${minutes}m ${Math.floor(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
