import { Refusal } from '../refusal.ts';
import type { FieldOptions } from './field-options.ts';
import { readOwnedText, splitFields } from './field-text.ts';
import { refuseWrongCounts } from './field-values.ts';
import { type Field, readField, readFields, readFurtherFields, refuseName } from './fields.ts';
import { type FeatureNames, readFeatureName } from './names.ts';
import { spell, wordsOf } from '../text/spelling.ts';

/** An array of objects, which are rows of a table of their own: the lines of an order. */
export interface OwnedField {
  /** `lines` */
  readonly name: string;
  /** `lines` */
  readonly words: string;
  /** Names of one object, with its owner: `OrderLine`, in the table `order_lines`. */
  readonly item: FeatureNames;
  readonly options: Pick<FieldOptions, 'minItems' | 'maxItems' | 'description'>;
  /** True if a creation may lack it; it is empty then. */
  readonly optional: boolean;
  readonly fields: readonly Field[];
}

const OPTIONS = ['min-items', 'max-items', 'description'];

/** Fields that are columns, and fields that are tables of their own. */
export interface FeatureFields {
  readonly fields: Field[];
  readonly owned: OwnedField[];
}

/**
 * Reads the fields of a feature, and its arrays of objects.
 *
 * @throws Refusal
 */
export function readFeatureFields(text: string, feature: FeatureNames): FeatureFields {
  return readParts(splitFields(text), feature, (plain) => readFields(plain, feature));
}

/**
 * Reads fields that are added to a feature later; they may be arrays of objects alone.
 *
 * @throws Refusal
 */
export function readLaterFields(text: string, feature: FeatureNames): FeatureFields {
  const parts = splitFields(text);
  const read = (plain: string) => (plain === '' && parts.length > 0 ? [] : readFurtherFields(plain, feature));
  return readParts(parts, feature, read);
}

function readParts(
  parts: readonly string[],
  feature: FeatureNames,
  read: (plain: string) => Field[],
): FeatureFields {
  const owned = parts.flatMap((part) => readOwned(part, feature) ?? []);
  const fields = read(parts.filter((part) => !readOwnedText(part)).join(' '));
  owned.forEach(({ name }, index) => {
    const others = [...fields, ...owned.slice(0, index)];
    if (others.some((other) => other.name === name))
      throw new Refusal(`The field ${name} is declared twice.`);
  });
  return { fields, owned };
}

function readOwned(text: string, feature: FeatureNames): OwnedField | undefined {
  const given = readOwnedText(text);
  if (!given) return undefined;
  const { name, members, details, isArray, optional } = given;
  refuseName(name);
  if (!isArray) {
    throw new Refusal(`The field ${name} must be an array of objects: ${name}:object(note:string)[].`);
  }
  if (members.length === 0) {
    throw new Refusal(`The objects of the field ${name} need fields, as in ${name}:object(note:string)[].`);
  }
  const item = readFeatureName(`${feature.singular.kebab}-${spell(wordsOf(name)).kebab}`);
  const fields = members.map((member) => readField(member, item));
  fields.forEach((field, index) => refuseMember(name, field, feature, fields.slice(0, index)));
  const options = new Map<string, string>();
  for (const { text: detail, key, value } of details) {
    if (!OPTIONS.includes(key) || !value) {
      throw new Refusal(
        `${JSON.stringify(detail)} is not an option of the field ${name}: an array of objects takes ${OPTIONS.join(', ')}.`,
      );
    }
    options.set(key, value);
  }
  const counts = { minItems: options.get('min-items'), maxItems: options.get('max-items') };
  refuseWrongCounts(name, counts);
  if (optional && Number(counts.minItems ?? 0) > 0) {
    throw new Refusal(
      `The field ${name} cannot be optional and have min-items: an array that is left out is empty.`,
    );
  }
  return {
    name,
    words: spell(wordsOf(name)).words,
    item,
    options: { ...counts, description: options.get('description') },
    optional,
    fields,
  };
}

/** Refuses fields that an object within an array cannot have. */
function refuseMember(owner: string, field: Field, feature: FeatureNames, before: readonly Field[]): void {
  const { name, column, isArray, options } = field;
  const ofOwner = [feature.singular.camel, feature.idParameter, 'position'];
  if (ofOwner.includes(name)) {
    throw new Refusal(`The field ${owner}.${name} already exists: every row of its table has it.`);
  }
  if (before.some((other) => other.column === column)) {
    throw new Refusal(`The field ${owner}.${name} is declared twice.`);
  }
  if (options.personal) {
    throw new Refusal(
      `The field ${owner}.${name} cannot be personal: the audit log has an array as one value. Give such objects a module of their own, and refer to it: ${owner}:object(guestId:ref(guests))[].`,
    );
  }
  const { unique, range, prefix, set, sort, access } = options;
  const isPlain = !isArray && options.default === undefined && access === 'open';
  if (isPlain && !unique && !range && !prefix && !set && !sort) return;
  throw new Refusal(
    `The field ${owner}.${name} can only have min, max, pattern, example and description and be optional: it is stored and replaced with its array.`,
  );
}
