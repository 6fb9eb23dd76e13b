import type { DataSource } from 'typeorm';
import { sqliteOf } from '../../platform/database/driver/data-source';
import { type Depth, type Inspection, judged, MOST_PROBLEMS } from './inspection';

interface Violation {
  readonly table: string;
  readonly rowid: bigint | null;
  readonly parent: string;
}

/** Checks the file itself (SQLite, PRAGMA integrity_check, quick_check and foreign_key_check). It only reads. */
export function inspectSqlite(dataSource: DataSource, depth: Depth): Inspection[] {
  const integrity = judged('integrity', damages(dataSource, depth), 'The file is sound.');
  return depth === 'quick' ? [integrity] : [integrity, foreignKeys(dataSource)];
}

function damages(dataSource: DataSource, depth: Depth): string[] {
  const pragma = depth === 'quick' ? 'quick_check' : 'integrity_check';
  try {
    const verdicts = sqliteOf(dataSource)
      .prepare<[], string>(`PRAGMA ${pragma}(${MOST_PROBLEMS})`)
      .pluck()
      .all();
    return verdicts.filter((verdict) => verdict !== 'ok');
  } catch (error) {
    // On a badly damaged file the check itself fails.
    return [(error as Error).message];
  }
}

function foreignKeys(dataSource: DataSource): Inspection {
  const problems: string[] = [];
  try {
    for (const { table, rowid, parent } of sqliteOf(dataSource)
      .prepare<[], Violation>('PRAGMA foreign_key_check')
      .iterate()) {
      problems.push(`Row ${rowid ?? '?'} of ${table} refers to a missing row of ${parent}.`);
      if (problems.length === MOST_PROBLEMS) break;
    }
  } catch (error) {
    problems.push((error as Error).message);
  }
  return judged('foreignKeys', problems, 'Every reference has its row.');
}
