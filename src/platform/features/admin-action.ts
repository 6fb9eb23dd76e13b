/**
 * An action of operators on a record besides changing its fields, such as cancelling an order. It is named after the method of
 * the service that does it, `cancel(id)`, and has its button in the console, its command (`petstore orders cancel`) and its
 * events (`orders.cancel`).
 */
export interface AdminAction<Item = object> {
  /** The verb on the button: `Cancel`. */
  readonly title: string;
  /** State of a record afterwards, in a word: `cancelled`. */
  readonly done: string;
  /** Advice for operators before they act, in a sentence or two. */
  readonly description?: string;
  /** Scope that a key needs for the action in the console; unset, the scope that changes the records. */
  readonly scope?: `admin:${string}`;
  /** True if giving the changed fields their former values undoes the action; unset, it cannot be undone. */
  readonly isUndoable?: boolean;
  /**
   * Tells whether the page of a record offers the action; unset, it always does. The service may refuse the action all the
   * same.
   */
  appliesTo?(record: Item): boolean;
}

/** The methods of a service that do something with one record and return the record afterwards. */
export type ActionMethod<Service, Item> = {
  [Name in keyof Service]: Service[Name] extends (id: bigint) => Promise<Item> ? Name : never;
}[keyof Service];
