import { Refusal } from '../refusal.ts';
import type { Detail } from './field-text.ts';
import { FIELD_TYPES, type FieldType } from './field-types.ts';

/** Access of clients to a field: they give it always, at its creation only, or never. */
export type FieldAccess = 'open' | 'create-only' | 'read-only';

/** Options of a field besides its type: `max=50,unique`. */
export interface FieldOptions {
  /** The least value or, for a text, the least length. */
  readonly min: string | undefined;
  /** The greatest value or, for a text, the greatest length. */
  readonly max: string | undefined;
  /** A regular expression that a text must match. */
  readonly pattern: string | undefined;
  /** Least and greatest number of items of an array. */
  readonly minItems: string | undefined;
  readonly maxItems: string | undefined;
  /** Value that is stored by a creation without the field; for an array, in JSON. */
  readonly default: string | undefined;
  readonly example: string | undefined;
  /** One sentence; undefined if the words of the name suffice. */
  readonly description: string | undefined;
  /** True if no two records may have the same value. */
  readonly unique: boolean;
  /** Parameters of the list: values between two, a beginning, one of several values, its order. */
  readonly range: boolean;
  readonly prefix: boolean;
  readonly set: boolean;
  readonly sort: boolean;
  readonly access: FieldAccess;
  /** True if the value identifies a person: it can be erased from the audit log. */
  readonly personal: boolean;
}

const VALUED = ['min', 'max', 'pattern', 'default', 'example', 'description'] as const;
const COUNTS = ['min-items', 'max-items'] as const;
const FLAGS = ['unique', 'range', 'prefix', 'set', 'sort', 'create-only', 'read-only', 'personal'] as const;

type OptionName = (typeof VALUED)[number] | (typeof COUNTS)[number] | (typeof FLAGS)[number];

const OF_EVERY_TYPE: readonly OptionName[] = ['create-only', 'read-only', 'personal', 'description'];
/** Options of an array that are about its items. */
const OF_ITEMS: readonly OptionName[] = ['min', 'max', 'pattern', 'example'];

/** A field before its options are read. */
interface TypedField {
  readonly name: string;
  readonly type: FieldType;
  readonly isArray: boolean;
}

/**
 * Reads the options of a field.
 *
 * @throws Refusal
 */
export function readOptions(
  { name: field, type, isArray }: TypedField,
  details: readonly Detail[],
): FieldOptions {
  const single: readonly OptionName[] = FIELD_TYPES[type].options;
  const ofType: readonly OptionName[] = isArray
    ? [...single.filter((name) => OF_ITEMS.includes(name)), ...COUNTS, 'default']
    : single;
  const known = [...ofType, ...OF_EVERY_TYPE];
  const given = new Map<string, string>();
  for (const { text, key, value } of details) {
    const name = known.find((option) => option === key);
    if (name === undefined) {
      throw new Refusal(
        `${JSON.stringify(text)} is not an option of the field ${field}: a field of type ${type}${isArray ? '[]' : ''} takes ${known.join(', ')}.`,
      );
    }
    refuseForm(field, name, value === '' && !/['"]$/.test(text) ? undefined : value);
    if (given.has(name)) throw new Refusal(`The field ${field} is given the option ${name} twice.`);
    given.set(name, value ?? '');
  }
  if (given.has('create-only') && given.has('read-only')) {
    throw new Refusal(`The field ${field} cannot be both create-only and read-only.`);
  }
  return {
    ...(Object.fromEntries(VALUED.map((name) => [name, given.get(name)])) as Pick<
      FieldOptions,
      (typeof VALUED)[number]
    >),
    minItems: given.get('min-items'),
    maxItems: given.get('max-items'),
    unique: given.has('unique'),
    range: given.has('range'),
    prefix: given.has('prefix'),
    set: given.has('set'),
    sort: given.has('sort'),
    access: given.has('create-only') ? 'create-only' : given.has('read-only') ? 'read-only' : 'open',
    personal: given.has('personal'),
  };
}

function refuseForm(field: string, name: OptionName, value: string | undefined): void {
  const isFlag = (FLAGS as readonly string[]).includes(name);
  if (isFlag && value !== undefined) {
    throw new Refusal(`The option ${name} of the field ${field} takes no value.`);
  }
  if (!isFlag && value === undefined)
    throw new Refusal(`The option ${name} of the field ${field} needs a value.`);
}
