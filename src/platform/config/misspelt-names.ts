import leven from 'leven';
import { petstore } from './called-as';
import { otherVariables } from './load-settings';
import type { Settings } from './settings';

/** A variable that no setting is read from, although its name resembles the name of a setting, or was one. */
export interface MisspeltName {
  readonly name: string;
  /** The variable that the operator probably meant; undefined for a setting of an earlier version. */
  readonly meant?: string;
}

/** Replacements of settings of earlier versions whose absence operators would not notice. */
const GONE: Readonly<Record<string, string | (() => string)>> = {
  CREATE_DATABASE: () => `Run "${petstore()} db migrate", which makes the database.`,
  DATABASE_POOL_WAIT_MS: 'A request waits two fifths of DATABASE_STATEMENT_TIMEOUT_MS for a connection.',
  DATABASE_PREPARED_STATEMENTS: 'A start finds out whether a pooler mixes up prepared statements.',
  HEADERS_TIMEOUT_MS: 'A third of REQUEST_TIMEOUT_MS is for the headers.',
  KEY_OWNER_REQUIRED: () => `API keys need no owner; "${petstore()} keys list" shows the owner of each.`,
  METRICS: 'Requests are always timed.',
  OIDC_NAME: 'The console names the provider by its host.',
  READ_ONLY: () => `Run "${petstore()} read-only on": every node on this database then refuses writes.`,
  REQUEST_LOG_MAX_ROWS: 'A million requests are kept at most; REQUEST_LOG_DAYS bounds their age.',
  REQUEST_LOG_SAMPLE: 'Ten successful requests a second are kept at most; REQUEST_LOG_DAYS=0 keeps none.',
  SLOW_REQUEST_MS: 'Requests of a second or longer count as slow.',
  SQLITE_BUSY_TIMEOUT_MS: 'DATABASE_STATEMENT_TIMEOUT_MS says how long a statement waits on SQLite.',
  WORKERS: 'A node is one process; start a node for each core, behind a load balancer.',
};

/** Most letters by which a name may differ from a longer and from a short one: `HOME` is not a misspelt `HOST`. */
const MOST = 3;
const LETTERS_PER_MISTAKE = 5;

/**
 * Returns the variables with a value whose names resemble one that settings are read from, or were one. Others are left alone: an
 * environment has many variables for other programs.
 *
 * @param settings those of the features too
 */
export function misspeltNames(settings: Settings): MisspeltName[] {
  const { others, known } = otherVariables(settings);
  return others.flatMap((name) => {
    if (Object.hasOwn(GONE, name)) return [{ name }];
    const spelled = name.toUpperCase().replaceAll('-', '_');
    const most = Math.min(MOST, Math.max(1, Math.floor(spelled.length / LETTERS_PER_MISTAKE)));
    const [nearest] = known
      .map((meant) => ({ meant, mistakes: leven(spelled, meant) }))
      .filter(({ mistakes }) => mistakes <= most)
      .sort((a, b) => a.mistakes - b.mistakes);
    return nearest ? [{ name, meant: nearest.meant }] : [];
  });
}

/** Says that a name is misspelt or gone. Never has the value: the operator may have meant a secret. */
export function misspeltInWords({ name, meant }: MisspeltName): string {
  const gone = GONE[name];
  if (meant === undefined)
    return `${name} no longer has an effect. ${typeof gone === 'function' ? gone() : gone}`;
  return `${name} has no effect, because no setting has this name. Did you mean ${meant}?`;
}
