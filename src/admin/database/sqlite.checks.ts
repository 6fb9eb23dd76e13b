import type { CheckContext } from '../../platform/cli/cli';
import { sqliteOf } from '../../platform/database/driver/data-source';
import { type Check, failed, type Finding, ok } from '../../platform/health/check';
import { MOST_PROBLEMS } from './inspection';

interface Violation {
  readonly table: string;
  readonly rowid: bigint | null;
  readonly parent: string;
}

type DatabaseCheck = Check<Pick<CheckContext, 'isDeep' | 'database'>>;

/** Checks the pages of the file (PRAGMA integrity_check, quick_check). It only reads. */
const INTEGRITY: DatabaseCheck = {
  name: 'integrity',
  needs: 'database',
  async check({ isDeep, database }) {
    const file = sqliteOf(await database());
    const pragma = isDeep ? 'integrity_check' : 'quick_check';
    try {
      const verdicts = file.prepare<[], string>(`PRAGMA ${pragma}(${MOST_PROBLEMS})`).pluck().all();
      const damages = verdicts.filter((verdict) => verdict !== 'ok');
      return damages.length > 0 ? damages.map((damage) => failed(damage)) : ok('The file is sound.');
    } catch (error) {
      // On a badly damaged file the check itself fails.
      return failed((error as Error).message);
    }
  },
};

/** Checks that no reference leads nowhere (PRAGMA foreign_key_check), which reads every row. */
const FOREIGN_KEYS: DatabaseCheck = {
  name: 'foreignKeys',
  needs: 'database',
  async check({ isDeep, database }) {
    if (!isDeep) return [];
    const findings: Finding[] = [];
    try {
      const violations = sqliteOf(await database()).prepare<[], Violation>('PRAGMA foreign_key_check');
      for (const { table, rowid, parent } of violations.iterate()) {
        findings.push(failed(`Row ${rowid ?? '?'} of ${table} refers to a missing row of ${parent}.`));
        if (findings.length === MOST_PROBLEMS) break;
      }
    } catch (error) {
      findings.push(failed((error as Error).message));
    }
    return findings.length > 0 ? findings : ok('Every reference has its row.');
  },
};

/** The checks of a SQLite file. */
export const SQLITE_CHECKS: readonly DatabaseCheck[] = [INTEGRITY, FOREIGN_KEYS];
