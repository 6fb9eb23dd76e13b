import { Refusal } from '../refusal.ts';
import { readLinksText, readOwnedText, splitFields } from './field-text.ts';
import { type Field, readField, readFields, refuseName } from './fields.ts';
import { readLinks } from './link-fields.ts';
import { type FeatureNames, inflect, readFeatureName } from './names.ts';
import { type OwnedField, readArrayOptions } from './owned-field.ts';
import { spell, wordsOf } from '../text/spelling.ts';

/** Fields that are columns, and fields that are tables of their own. */
export interface FeatureFields {
  readonly fields: Field[];
  readonly owned: OwnedField[];
}

/**
 * Reads the fields of a feature, and its arrays of objects and of links.
 *
 * @throws Refusal
 */
export function readFeatureFields(text: string, feature: FeatureNames): FeatureFields {
  const parts = splitFields(text);
  const owned = parts.flatMap((part) => readOwned(part, feature) ?? readLinks(part, feature) ?? []);
  const plain = parts.filter((part) => !readOwnedText(part) && !readLinksText(part)).join(' ');
  const fields = readFields(plain, feature);
  owned.forEach(({ name }, index) => {
    const others = [...fields, ...owned.slice(0, index)];
    if (others.some((other) => other.name === name))
      throw new Refusal(`The field ${name} is declared twice.`);
  });
  owned.forEach((each) => refuseLinksWithItself(each, feature));
  return { fields, owned };
}

function refuseLinksWithItself(
  { name, isLinks, fields: [link] }: OwnedField,
  { plural }: FeatureNames,
): void {
  if (!isLinks || inflect(link?.target ?? '')?.plural.kebab !== plural.kebab) return;
  throw new Refusal(
    `The field ${name} refers to ${plural.words} themselves: generate them without it, then add it by hand (docs/day-two.md).`,
  );
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
  return {
    name,
    words: spell(wordsOf(name)).words,
    item,
    isLinks: false,
    options: readArrayOptions(name, details, optional),
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
