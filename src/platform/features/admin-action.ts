/**
 * What operators can do with a record besides changing its fields, as to cancel an order. It is named after the method of the
 * service that does it, `cancel(id)`, and has its button in the console, its command (`petstore orders cancel`) and its events
 * (`orders.cancel`).
 */
export interface AdminAction<Item = object> {
  /** The verb on the button: `Cancel`. */
  readonly title: string;
  /** What has become of a record then: `cancelled`. */
  readonly done: string;
  /** What an operator should know before, in a sentence or two. */
  readonly description?: string;
  /** The scope a key needs for it in the console; unset, the one that changes the records. */
  readonly scope?: `admin:${string}`;
  /** Whether it is undone by giving the fields it changed their former values; unset, it cannot be undone. */
  readonly isUndoable?: boolean;
  /** Whether it is offered on the page of a record; unset, it always is. What it refuses is up to the service all the same. */
  appliesTo?(record: Item): boolean;
}

/** The methods of a service that do something with one record and give what became of it. */
export type ActionMethod<Service, Item> = {
  [Name in keyof Service]: Service[Name] extends (id: bigint) => Promise<Item> ? Name : never;
}[keyof Service];
