import type { Type } from '@nestjs/common';
import type { Created } from '../http/response/created';
import type { Precondition } from '../http/request/precondition';
import type { MergePatch } from '../validation/merge-patch';
import type { ActionMethod, AdminAction } from './admin-action';
import type { AdminPanel, PanelMethod } from './admin-panel';

/**
 * Operations of operators on the records of a feature, by its own rules. An operation without a method is not offered to
 * operators.
 */
export interface AdminRecordsService<Item, Creation extends object, Patch = MergePatch<Creation>> {
  create?(creation: Creation): Promise<Created<Item>>;
  /**
   * Adds many records as {@link create} adds each, all of them or none; for imports, which otherwise add one by one.
   *
   * @returns the added records, in the order given
   */
  createMany?(creations: readonly Creation[]): Promise<Item[]>;
  /** Changes a record. @throws PreconditionFailedError when the record no longer matches `ifMatch` */
  update?(id: bigint, patch: Patch, ifMatch?: Precondition): Promise<Item>;
  /** Removes a record; for good, unless there is {@link restore}. @throws PreconditionFailedError like {@link update} */
  delete?(id: bigint, ifMatch?: Precondition): Promise<void>;
  /**
   * Removes many records as {@link delete} removes each, in the order given, all of them or none; for undos of imports, which otherwise
   * remove one by one.
   */
  deleteMany?(ids: readonly bigint[]): Promise<void>;
  restore?(id: bigint): Promise<Item>;
}

/**
 * Description of a record type for the admin tooling: its page of the console and its commands follow from this and from the
 * DTOs, whose fields say what there is to see, to filter by and to fill in.
 */
export interface AdminRecords<Item = object, Creation extends object = object, Patch = MergePatch<Creation>> {
  /** Plural name of the records, as in paths and commands: `orders`. A key needs the scope `admin:orders` to change them. */
  readonly name: string;
  /** Name of one record in a sentence: `order`. */
  readonly one: string;
  /** Entity that stores the records. A field that a list can be sorted by has an index on (field, id). */
  readonly entity: Type<{ readonly id: bigint }>;
  /** DTO of a record, as documented. */
  readonly record: Type<Item>;
  /** Query of the list: operators can filter as clients do, and by every other field as well. */
  readonly list?: Type;
  /**
   * Field that pages name a record by; where it is empty, they use {@link one} and the id. Unset, it is `name` or `title` where
   * the record has such a text.
   */
  readonly title?: string;
  /** DTO that a record is created from; unset when operators cannot create any. */
  readonly creation?: Type<Creation>;
  /** DTO of changes, also to fields that clients cannot change; unset when operators can change nothing. */
  readonly patch?: Type<Patch>;
  readonly service: Type<AdminRecordsService<Item, Creation, Patch>>;
  /** Other actions of operators on a record, by the service methods that do them. */
  readonly actions?: Readonly<Record<string, AdminAction<Item>>>;
  /** Panels on the page of a record, by the service methods that return their content for its id. */
  readonly panels?: Readonly<Record<string, AdminPanel>>;
  /** Panels on the overview, by the service methods that return their content. */
  readonly overviewPanels?: Readonly<Record<string, AdminPanel>>;
  /** Icon of the records in the navigation of the console; a box unless set. */
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

/** Names that a descriptor may use of its record and its service. */
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

/** Returns the scope that changes records. */
export function changeScope({ name }: Pick<AdminRecords, 'name'>): string {
  return `admin:${name}`;
}

/** Returns the scope that an action on records needs. */
export function actionScope(
  recordType: Pick<AdminRecords, 'name'>,
  { scope }: Pick<AdminAction, 'scope'>,
): string {
  return scope ?? changeScope(recordType);
}

/** Returns the actions on records that a module offers, by their names. */
export function actionsIn({
  actions = {},
}: Pick<AdminRecords, 'actions'>): [name: string, action: AdminAction][] {
  return Object.entries(actions);
}
