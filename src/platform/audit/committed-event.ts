import type { New } from '../database/entities/entity-repository';
import { exactJson } from '../values/exact-json';
import { readJson } from '../values/json-reader';
import type { AuditEvent } from './audit-event.entity';
import { commitTo, isCommitment } from './commitment';
import type { PersonalValue } from './personal-value.entity';

/** A subject of audit events, such as `orders/17`. */
export interface Subject {
  readonly type: string;
  readonly id: string;
}

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

/** An event to store, with what in it tells of a person besides name and address of the operator. */
export type RecordedEvent = New<AuditEvent> & {
  /** Members of before and after. */
  readonly personal?: readonly string[] | undefined;
  /** Subject that they are erased with; that of the event unless given. */
  readonly person?: Subject | undefined;
};

/** An event as it is stored, and the values to store beside it once it has an id. */
export interface ConcealedEvent {
  readonly event: New<AuditEvent>;
  readonly values: readonly Omit<PersonalValue, 'eventId'>[];
}

/** A commitment that stands in an event. */
export interface Commitment {
  /** As {@link PersonalValue.member}. */
  readonly member: string;
  readonly commitment: string;
  readonly subject: Subject;
}

/** Members of an event that may hold personal values, as they are stored. */
export type CommittedEvent = Pick<
  AuditEvent,
  'actor' | 'actorName' | 'subjectType' | 'subjectId' | 'before' | 'after' | 'address'
>;

/** A commitment among the members of before or after. */
interface Marker {
  readonly personal: string;
  /** Subject of the value, unless it is that of the event. */
  readonly of?: string;
}

/** Writes a subject as operators do: `orders/17`. */
export function subjectText({ type, id }: Subject): string {
  return `${type}/${id}`;
}

/** Returns the subject that an actor's name and address are erased with: `keys/key_...` or `people/oidc:00u1`. */
export function operatorSubject(actor: string): Subject {
  return { type: actor.startsWith('key_') ? 'keys' : 'people', id: actor };
}

/** True of a person who signs in to the console and of a key: they make changes. */
export function isOperator({ type }: Subject): boolean {
  return ['keys', 'people'].includes(type);
}

/** Reads what {@link subjectText} writes. @returns undefined for a text without a type or an id */
export function subjectOf(text: string): Subject | undefined {
  const [, type, id] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  return type === undefined || id === undefined ? undefined : { type, id };
}

/** Returns the subjects of the personal values of an event that is to be stored. */
export function personsOf(event: RecordedEvent): Subject[] {
  const { personal = [], person = subjectOfEvent(event) } = event;
  const isOperatorKnown = event.actorName !== null || event.address !== null;
  return [
    ...(isOperatorKnown ? [operatorSubject(event.actor)] : []),
    ...(personal.length > 0 ? [person] : []),
  ];
}

/**
 * Puts commitments in place of the personal values of an event.
 *
 * @param keys the keys of {@link personsOf} the event, by {@link subjectText}
 */
export function concealed(
  { personal = [], person, ...event }: RecordedEvent,
  keys: ReadonlyMap<string, string>,
): ConcealedEvent {
  const values: Omit<PersonalValue, 'eventId'>[] = [];
  const commit = (member: string, value: unknown, subject: Subject) => {
    const { commitment, sealed } = commitTo(exactJson(value), keys.get(subjectText(subject)) as string);
    values.push({ member, subjectType: subject.type, subjectId: subject.id, sealed });
    return commitment;
  };
  const ofEvent = person ?? subjectOfEvent(event);
  const of = person && subjectText(person);
  const isPersonal = (name: string, value: unknown) =>
    personal.includes(name) && value !== null && !isErased(value);
  const stored = replaced(event, {
    column: (member, value) => commit(member, value, operatorSubject(event.actor)),
    member: (member, name, value): unknown =>
      isPersonal(name, value) ? { personal: commit(member, value, ofEvent), of } : value,
    isAsked: () => personal.length > 0,
  });
  return { event: stored, values };
}

/** Returns the commitments that stand in an event. */
export function commitmentsIn(event: CommittedEvent): Commitment[] {
  const found: Commitment[] = [];
  replaced(event, {
    column: (member, value) => {
      if (isCommitment(value))
        found.push({ member, commitment: value, subject: operatorSubject(event.actor) });
      return value;
    },
    member: (member, _name, value) => {
      if (isMarker(value)) {
        const subject = (value.of && subjectOf(value.of)) || subjectOfEvent(event);
        found.push({ member, commitment: value.personal, subject });
      }
      return value;
    },
    isAsked: hasMarkers,
  });
  return found;
}

/**
 * Puts values in place of the commitments of an event.
 *
 * @param values JSON of the values, by member; {@link ERASED} stands for one that is not there
 */
export function revealed<Event extends CommittedEvent>(
  event: Event,
  values: ReadonlyMap<string, string>,
): Event {
  const valueOf = (member: string): unknown => {
    const json = values.get(member);
    return json === undefined ? ERASED : readJson(Buffer.from(json));
  };
  return replaced(event, {
    column: (member, value) => (isCommitment(value) ? (valueOf(member) as string) : value),
    member: (member, _name, value) => (isMarker(value) ? valueOf(member) : value),
    isAsked: hasMarkers,
  });
}

interface Replacement {
  /** Returns what stands for the name or address of the operator. */
  column(member: string, value: string): string;
  /** Returns what stands for a member of before or after. */
  member(member: string, name: string, value: unknown): unknown;
  /** True if a text of before or after is to be read at all. */
  isAsked(json: string): boolean;
}

function replaced<Event extends Omit<CommittedEvent, 'actor'>>(event: Event, by: Replacement): Event {
  const members = (side: 'before' | 'after') => {
    const json = event[side];
    if (json === null || !by.isAsked(json)) return json;
    const entries = Object.entries(readJson(Buffer.from(json)) as object);
    return exactJson(
      Object.fromEntries(entries.map(([name, value]) => [name, by.member(`${side}.${name}`, name, value)])),
    );
  };
  const column = (name: 'actorName' | 'address') => event[name] && by.column(name, event[name]);
  return {
    ...event,
    actorName: column('actorName'),
    before: members('before'),
    after: members('after'),
    address: column('address'),
  };
}

function subjectOfEvent({ subjectType, subjectId }: Pick<AuditEvent, 'subjectType' | 'subjectId'>): Subject {
  return { type: subjectType, id: subjectId };
}

function hasMarkers(json: string): boolean {
  return json.includes('{"personal":"sha256:');
}

function isMarker(value: unknown): value is Marker {
  return typeof value === 'object' && value !== null && isCommitment((value as Partial<Marker>).personal);
}
