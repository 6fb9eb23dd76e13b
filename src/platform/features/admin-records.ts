import type { Type } from '@nestjs/common';
import type { Created } from '../http/response/created';
import type { Precondition } from '../http/request/precondition';
import type { MergePatch } from '../validation/merge-patch';
import type { ActionMethod, AdminAction } from './admin-action';
import type { AdminPanel, PanelMethod } from './admin-panel';

/**
 * What operators can do to the records of a feature, by its own rules. A method that is missing is an action that no
 * operator is offered.
 */
export interface AdminRecordsService<Item, Creation extends object, Patch = MergePatch<Creation>> {
  create?(creation: Creation): Promise<Created<Item>>;
  /**
   * Adds many as {@link create} adds each, all of them or none; for imports, which otherwise add one by one.
   *
   * @returns what was added, in the order it was given
   */
  createMany?(creations: readonly Creation[]): Promise<Item[]>;
  /** @throws PreconditionFailedError when the record is no longer what it was */
  update?(id: bigint, patch: Patch, ifMatch?: Precondition): Promise<Item>;
  /** Removes a record; for good, unless there is {@link restore}. @throws PreconditionFailedError likewise */
  delete?(id: bigint, ifMatch?: Precondition): Promise<void>;
  restore?(id: bigint): Promise<Item>;
}

/**
 * How the admin tooling shows and changes one kind of record: its page of the console and its commands follow from this and
 * from the DTOs, whose fields say what there is to see, to filter by and to fill in.
 */
export interface AdminRecords<Item = object, Creation extends object = object, Patch = MergePatch<Creation>> {
  /** What they are called, as in paths and commands: `orders`. A key needs the scope `admin:orders` to change them. */
  readonly name: string;
  /** What one is called in a sentence: `order`. */
  readonly one: string;
  /** Where they are stored. What a list can be sorted by has an index on (it, id). */
  readonly entity: Type<{ readonly id: bigint }>;
  /** One of them, as documented. */
  readonly record: Type<Item>;
  /** The query of their list: operators narrow a list down by what clients do, and by each field besides. */
  readonly list?: Type;
  /**
   * The field that pages call one by; where it is empty, by what one is called and its id. Unset, it is `name` or `title` where
   * the record has such a text.
   */
  readonly title?: string;
  /** What one is made from; unset when none can be. */
  readonly creation?: Type<Creation>;
  /** What can be changed, also what clients cannot change; unset when nothing can be. */
  readonly patch?: Type<Patch>;
  readonly service: Type<AdminRecordsService<Item, Creation, Patch>>;
  /** What operators can do with one besides, by the methods of the service that do it. */
  readonly actions?: Readonly<Record<string, AdminAction<Item>>>;
  /** Panels on the page of one, by the methods of the service that give their content for its id. */
  readonly panels?: Readonly<Record<string, AdminPanel>>;
  /** Panels on the overview, by the methods of the service that give their content. */
  readonly overviewPanels?: Readonly<Record<string, AdminPanel>>;
  /** Its icon in the navigation of the console; a box unless set. */
  readonly icon?: AdminIcon;
}

/** The icons that records can have. */
export type AdminIcon =
  | 'bell'
  | 'book'
  | 'box'
  | 'calendar'
  | 'cart'
  | 'file'
  | 'heart'
  | 'mail'
  | 'money'
  | 'paw'
  | 'people'
  | 'pin'
  | 'tag'
  | 'truck';

/** The members of a record that are texts. */
type TextMember<Item> = {
  [Name in keyof Item]-?: Item[Name] extends string | undefined ? Name : never;
}[keyof Item];

/** What a descriptor may name of its record and its service. */
interface Named<Item, Service> {
  readonly title?: TextMember<Item> & string;
  readonly service: Type<Service>;
  readonly actions?: { readonly [Name in ActionMethod<Service, Item>]?: AdminAction<Item> };
  readonly panels?: { readonly [Name in PanelMethod<Service, [id: bigint]>]?: AdminPanel };
  readonly overviewPanels?: { readonly [Name in PanelMethod<Service, []>]?: AdminPanel };
}

/** Describes records for the admin tooling; for `@Feature({ admin })`. */
export function adminRecords<
  Item extends object,
  Creation extends object,
  Patch extends object = MergePatch<Creation>,
  Service extends AdminRecordsService<Item, Creation, Patch> = AdminRecordsService<Item, Creation, Patch>,
>(
  records: Omit<AdminRecords<Item, Creation, Patch>, keyof Named<Item, Service>> & Named<Item, Service>,
): AdminRecords {
  return records as AdminRecords;
}

/** The scope that changes records. */
export function changeScope({ name }: Pick<AdminRecords, 'name'>): string {
  return `admin:${name}`;
}

/** The scope that an action with records needs. */
export function actionScope(kind: Pick<AdminRecords, 'name'>, { scope }: Pick<AdminAction, 'scope'>): string {
  return scope ?? changeScope(kind);
}

/** The actions with records that a module offers, by their names. */
export function actionsIn({
  actions = {},
}: Pick<AdminRecords, 'actions'>): [name: string, action: AdminAction][] {
  return Object.entries(actions);
}
