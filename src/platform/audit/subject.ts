/** A subject of audit events, such as `orders/17`. */
export interface Subject {
  readonly type: string;
  readonly id: string;
}

/** Writes a subject as operators do: `orders/17`. */
export function subjectText({ type, id }: Subject): string {
  return `${type}/${id}`;
}

/** Reads what {@link subjectText} writes. @returns undefined for a text without a type or an id */
export function subjectOf(text: string): Subject | undefined {
  const [, type, id] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  return type === undefined || id === undefined ? undefined : { type, id };
}

/** Returns the subject that an actor's name and address are erased with: `keys/key_...` or `people/oidc:00u1`. */
export function operatorSubject(actor: string): Subject {
  return { type: actor.startsWith('key_') ? 'keys' : 'people', id: actor };
}

/** True of a person who signs in to the console and of a key: they make changes. */
export function isOperator({ type }: Subject): boolean {
  return ['keys', 'people'].includes(type);
}
