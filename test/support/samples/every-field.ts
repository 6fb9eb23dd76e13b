import type { Type } from '@nestjs/common';
import type { AdminRecords } from '../../../src/platform/features/admin-records';
import {
  BooleanField,
  DateField,
  DateTimeField,
  EnumField,
  Int64Field,
  IntegerField,
  NumberField,
  ReferenceField,
  StringField,
  UuidField,
} from '../../../src/platform/validation/fields';
import { MergePatchType } from '../../../src/platform/validation/merge-patch';

const STAGES = { New: 'new', InTransit: 'in_transit', Done: 'done' };

/** Everything there can be. */
export class NewOrder {
  @StringField({ description: 'A note.', example: 'x' }) note!: string;
  @IntegerField({ description: 'How many.', example: 1, optional: true }) count?: number;
  @NumberField({ description: 'The price.', example: 1.5, optional: true }) price?: number;
  @BooleanField({ description: 'Whether it is a gift.', example: true }) gift!: boolean;
  @DateField({ description: 'The day.', example: '2026-01-31', optional: true }) day?: string;
  @DateTimeField({ description: 'The time.', example: '2026-01-31T09:30:00Z', optional: true }) at?: Date;
  @UuidField({ description: 'The key.', example: '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e', optional: true })
  key?: string;
  @EnumField(STAGES, 'Stage', { description: 'The stage.', example: 'new', optional: true }) stage?: string;
  @StringField({ description: 'The tags.', example: ['x', 'y z'], isArray: true, optional: true })
  tags?: string[];
  @Int64Field({ description: 'The serials.', example: [1], isArray: true, optional: true })
  serials?: bigint[];
  @EnumField(STAGES, 'Stage', { description: 'The past.', example: ['new'], isArray: true, optional: true })
  past?: string[];
  @ReferenceField('/pets', { description: 'The pet: the `id` of **one** of <them>.', example: 1 })
  petId!: bigint;
}

export class Order extends NewOrder {
  @Int64Field({ description: 'The id.', example: 1 }) id!: bigint;
}

export class OrderPatch extends MergePatchType(NewOrder) {}

/** How operators would see them. */
export const ORDERS = {
  name: 'orders',
  one: 'order',
  entity: Order,
  record: Order,
  creation: NewOrder,
  patch: OrderPatch as Type<object>,
  service: class {},
} as AdminRecords;

/** Values of one, none of which a careless form or address keeps as it is. */
export const VALUES = {
  note: 'two\r\nlines',
  count: -3,
  price: 0.1,
  gift: false,
  day: '2026-01-31',
  at: new Date('2026-01-31T09:30:05.250Z'),
  key: '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
  stage: 'in_transit',
  tags: ['two\r\nlines', '', '"x", y'],
  serials: [9007199254740993n, -1n],
  past: ['new', 'in_transit'],
  petId: 9007199254740993n,
  id: 7n,
};
