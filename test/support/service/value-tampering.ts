import type { Random } from './audit-tampering';

/** A change to a personal value past the service. */
export interface ValueTampering {
  readonly what: string;
  readonly statements: readonly string[];
  /** The events of which one is named. */
  readonly events: readonly bigint[];
}

/** A row of personal values. */
export interface ValueRow {
  readonly event_id: bigint;
  readonly member: string;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly sealed: string;
}

/** Values that are there, of at least two subjects, and some that an erasure deleted. */
export interface ValueRows {
  readonly stored: readonly ValueRow[];
  readonly erased: readonly ValueRow[];
}

const UNFIT = 'A'.repeat(120);

/** One of the changes that an administrator of the database can make. */
export function randomValueTampering(random: Random, rows: ValueRows): ValueTampering {
  const one = random.pick(rows.stored);
  const other = random.pick(rows.stored.filter((row) => row !== one));
  const ofSubject = rows.stored.filter(
    (row) => row.subject_type === one.subject_type && row.subject_id === one.subject_id,
  );
  const key = `WHERE subject_type = '${one.subject_type}' AND subject_id = '${one.subject_id}'`;
  const set = (what: string, row: ValueRow, change: string) => ({
    what,
    statements: [`UPDATE personal_values SET ${change} WHERE ${at(row)}`],
    events: [row.event_id],
  });
  const kinds: (() => ValueTampering)[] = [
    () => set('value changed', one, `sealed = '${UNFIT}'`),
    () => set('value cut', one, `sealed = substr(sealed, 1, length(sealed) - 1)`),
    () => set('value of another', one, `sealed = '${other.sealed}'`),
    () => set('value of another subject', one, `subject_id = 'nobody'`),
    () => set('value moved to another member', one, `member = 'after.other'`),
    () => ({
      what: 'value removed',
      statements: [`DELETE FROM personal_values WHERE ${at(one)}`],
      events: [one.event_id],
    }),
    () => ({
      what: 'key removed',
      statements: [`DELETE FROM personal_keys ${key}`],
      events: ofSubject.map(({ event_id }) => event_id),
    }),
    () => ({
      what: 'key changed',
      statements: [`UPDATE personal_keys SET "key" = '${'B'.repeat(43)}' ${key}`],
      events: ofSubject.map(({ event_id }) => event_id),
    }),
    () => ({
      what: 'all of a subject removed, as an erasure does',
      statements: [`DELETE FROM personal_keys ${key}`, `DELETE FROM personal_values ${key}`],
      events: ofSubject.map(({ event_id }) => event_id),
    }),
    () => ({
      what: 'value inserted',
      statements: [inserted({ ...one, member: 'after.invented' })],
      events: [one.event_id],
    }),
    () => {
      const back = random.pick(rows.erased);
      return { what: 'erased value put back', statements: [inserted(back)], events: [back.event_id] };
    },
  ];
  return random.pick(kinds)();
}

function at({ event_id, member }: ValueRow): string {
  return `event_id = ${event_id} AND member = '${member}'`;
}

function inserted({ event_id, member, subject_type, subject_id, sealed }: ValueRow): string {
  const values = [String(event_id), ...[member, subject_type, subject_id, sealed].map((text) => `'${text}'`)];
  return `INSERT INTO personal_values (event_id, member, subject_type, subject_id, sealed) VALUES (${values.join(', ')})`;
}
