/** A form that was sent without a session to carry it out, for its page to show again. */
export interface StoredForm {
  /** The address of the form's page, with the query. */
  readonly address: string;
  /** Fields as typed, as `application/x-www-form-urlencoded`. */
  readonly fields: string;
}

/** Length limit of stored fields, in characters. */
export const MAX_STORED_FIELDS = 600_000;

/** Length limit of fields in the form of the sign-in, which is one without a session and holds a key and an address besides. */
const MAX_CARRIED = 9_000;

/** True if the form of the sign-in can carry fields. */
export function isCarriable(fields: string): boolean {
  return encodeURIComponent(fields).length <= MAX_CARRIED;
}

/** The fields that a person typed, without those that belong to the session the form was made for. */
export function typedFields(form: URLSearchParams): string {
  return new URLSearchParams([...form].filter(([name]) => !name.startsWith('_'))).toString();
}

/** The path of an address. */
export function pathOf(address: string): string {
  return address.split('?', 1)[0] as string;
}
