import type { Engine } from '../databases/databases';

/** A change to the record of changes past the service. */
export interface Tampering {
  readonly what: string;
  readonly statements: readonly string[];
  /** The places in the chain where it shows first: one, or two where it is not to be told which of them was changed. */
  readonly places: readonly number[];
}

/** An event that is sealed, as the tables name it. */
interface Place {
  readonly sequence: number;
  readonly id: number;
}

/** Numbers that look random and are the same each time: a linear congruential generator. */
export class Random {
  constructor(private state: number) {}

  /** An integer from 0 to below a limit. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const TEXT_COLUMNS = [
  'actor',
  'actor_name',
  'action',
  'subject_type',
  'subject_id',
  'before',
  'after',
  'request_id',
  'address',
];
const HASH = 'ab'.repeat(32);
/** An id that no event has, until it is put back. */
const UNUSED = 900_000_000;

/**
 * One of the changes that a superuser can make who has switched the triggers off.
 *
 * @param ids of the sealed events, ascending, those from 1,000 on with gaps; the last of them has an anchor
 */
export function randomTampering(random: Random, engine: Engine, ids: readonly number[]): Tampering {
  const places = ids.map((id, index) => ({ sequence: index + 1, id }));
  const [one, other] = twoOf(random, places);
  const make = random.pick(KINDS);
  return make({ random, engine, one, other, places });
}

interface Draft {
  readonly random: Random;
  readonly engine: Engine;
  /** The earlier one of two. */
  readonly one: Place;
  readonly other: Place;
  readonly places: readonly Place[];
}

const KINDS: readonly ((draft: Draft) => Tampering)[] = [
  ({ random, one }) => {
    const column = random.pick(TEXT_COLUMNS);
    return changed(`${column} of ${one.id}`, one, `"${column}" = coalesce("${column}", '') || 'x'`);
  },
  ({ engine, one }) => {
    const later =
      engine === 'sqlite'
        ? `strftime('%Y-%m-%d %H:%M:%f', at, '+0.001 seconds')`
        : `at + interval '1 microsecond'`;
    return changed(`time of ${one.id}`, one, `at = ${later}`);
  },
  ({ random, one, places }) => {
    const id = gap(random, places);
    const place = placeOf(id, places);
    return {
      what: `id of ${one.id} to ${id}`,
      statements: [`UPDATE audit_events SET id = ${id} WHERE id = ${one.id}`],
      places: [Math.min(place, one.sequence)],
    };
  },
  ({ one }) => ({
    what: `event ${one.id} removed`,
    statements: [`DELETE FROM audit_events WHERE id = ${one.id}`],
    places: [one.sequence],
  }),
  ({ one }) => ({
    what: `event ${one.id} and its seal removed`,
    statements: [
      `DELETE FROM audit_events WHERE id = ${one.id}`,
      `DELETE FROM audit_seals WHERE event_id = ${one.id}`,
    ],
    places: [one.sequence],
  }),
  ({ one }) => ({
    what: `seal of ${one.id} removed`,
    statements: [`DELETE FROM audit_seals WHERE event_id = ${one.id}`],
    places: [one.sequence],
  }),
  ({ random, places }) => {
    const id = gap(random, places);
    return {
      what: `event ${id} inserted`,
      statements: [inserted(id, places)],
      places: [placeOf(id, places)],
    };
  },
  ({ random, places }) => {
    const id = gap(random, places);
    return {
      what: `event ${id} inserted, with a seal at the end`,
      statements: [
        inserted(id, places),
        `INSERT INTO audit_seals SELECT max(sequence) + 1, ${id}, max(sealed_at), '${HASH}' FROM audit_seals`,
      ],
      places: [placeOf(id, places)],
    };
  },
  ({ one, other }) => swapped('audit_events', 'id', one.id, other.id, one),
  ({ one, other }) => swapped('audit_seals', 'sequence', one.sequence, other.sequence, one),
  ({ one, other }) => swapped('audit_seals', 'event_id', one.id, other.id, one),
  ({ one, other }) => ({
    what: `contents of ${one.id} and ${other.id} made the same`,
    statements: [
      `UPDATE audit_events SET action = 'things.swap', subject_id = (SELECT subject_id FROM audit_events WHERE id = ${other.id}) WHERE id = ${one.id}`,
    ],
    places: [one.sequence],
  }),
  ({ one }) => sealed(`hash of ${one.id}`, one, `hash = '${HASH}'`),
  ({ one, other }) =>
    sealed(
      `hash of ${one.id} to that of ${other.id}`,
      one,
      `hash = (SELECT s.hash FROM audit_seals s WHERE s.sequence = ${other.sequence})`,
    ),
  ({ engine, one }) =>
    sealed(
      `time of the seal of ${one.id}`,
      one,
      `sealed_at = ${engine === 'sqlite' ? `'2026-01-01 00:00:00.000'` : `sealed_at + interval '1 microsecond'`}`,
    ),
  ({ one }) => sealed(`event of the seal of ${one.id}`, one, `event_id = ${UNUSED}`),
  ({ one }) => sealed(`place of ${one.id}`, one, `sequence = ${UNUSED}`),
];

function changed(what: string, { id, sequence }: Place, set: string): Tampering {
  return { what, statements: [`UPDATE audit_events SET ${set} WHERE id = ${id}`], places: [sequence] };
}

function sealed(what: string, { sequence }: Place, set: string): Tampering {
  return {
    what,
    statements: [`UPDATE audit_seals SET ${set} WHERE sequence = ${sequence}`],
    places: [sequence],
  };
}

function swapped(table: string, column: string, one: number, other: number, first: Place): Tampering {
  const move = (from: number, to: number) =>
    `UPDATE ${table} SET ${column} = ${to} WHERE ${column} = ${from}`;
  const statements = [move(one, UNUSED), move(other, one), move(UNUSED, other)];
  return { what: `${column} of ${table} ${one} and ${other} swapped`, statements, places: [first.sequence] };
}

function inserted(id: number, [model]: readonly Place[]): string {
  const columns = 'at, actor, action, subject_type, subject_id, "before", "after", request_id, address';
  return `INSERT INTO audit_events (id, ${columns}) SELECT ${id}, ${columns} FROM audit_events WHERE id = ${model?.id}`;
}

/** An id between those of two events. */
function gap(random: Random, places: readonly Place[]): number {
  return random.pick(places.filter(({ id }, index) => (places[index + 1]?.id ?? id) > id + 1)).id + 1;
}

/** Where an event with this id stands. */
function placeOf(id: number, places: readonly Place[]): number {
  return places.filter((place) => place.id < id).length + 1;
}

function twoOf(random: Random, places: readonly Place[]): [Place, Place] {
  const first = random.below(places.length - 1);
  const second = first + 1 + random.below(places.length - first - 1);
  return [places[first] as Place, places[second] as Place];
}
