import { Refusal } from '../refusal.ts';
import { readLinksText } from './field-text.ts';
import { type Field, readField, refuseName } from './fields.ts';
import { type FeatureNames, inflect, readFeatureName } from './names.ts';
import { OWNED_OPTIONS, type OwnedField, readArrayOptions } from './owned-field.ts';
import { spell, wordsOf } from '../text/spelling.ts';

/** Most rows that one row is linked with: they are read with each page of a list. */
const MOST_LINKS = 100;

const LIST_OPTIONS = ['prefix', 'range', 'set', 'sort'];

/**
 * Reads a field that links a row with several rows of another module, `tags:refs(tags)`; undefined for any other field.
 *
 * @throws Refusal
 */
export function readLinks(text: string, feature: FeatureNames): OwnedField | undefined {
  const given = readLinksText(text);
  if (!given) return undefined;
  const { name, details, isArray, optional } = given;
  refuseName(name);
  const [target, ...options] = details;
  if (!target?.text || target.value !== undefined) {
    throw new Refusal(`The field ${name} must name a feature, as in refs(tags).`);
  }
  if (isArray) {
    throw new Refusal(`The field ${name} is an array by itself: write ${name}:refs(${target.text}).`);
  }
  const unfit = options.find(({ key }) => !OWNED_OPTIONS.includes(key));
  if (unfit) {
    const table = itemOf(name, feature).table;
    throw new Refusal(
      `${JSON.stringify(unfit.text)} is not an option of the field ${name}: refs takes ${OWNED_OPTIONS.join(', ')}.${LIST_OPTIONS.includes(unfit.key) ? ` For a list by it write a query of your own, which joins the table ${table}.` : ''}`,
    );
  }
  const limits = readArrayOptions(name, options, optional);
  const { maxItems = String(MOST_LINKS) } = limits;
  if (Number(maxItems) > MOST_LINKS) {
    throw new Refusal(
      `The option max-items of the field ${name} must be at most ${MOST_LINKS}: for more, make a module of the links, with a ref to each side.`,
    );
  }
  const item = itemOf(name, feature);
  return {
    name,
    words: spell(wordsOf(name)).words,
    item,
    isLinks: true,
    options: { ...limits, maxItems },
    optional,
    fields: [linkOf(name, target.text, feature, item)],
  };
}

/** The member of a link that holds the id of the other row: `tagId` for `tags` and `tagIds`. */
function linkOf(name: string, target: string, feature: FeatureNames, item: FeatureNames): Field {
  const member = `${inflect(wordsOfLinks(name).join('-'))?.singular.camel ?? name}Id`;
  if (member === feature.idParameter) {
    throw new Refusal(
      `The field ${name} needs another name, such as related${feature.plural.pascal}: ${member} is the row that has the links.`,
    );
  }
  return readField(`${member}:ref(${target})`, item);
}

function itemOf(name: string, feature: FeatureNames): FeatureNames {
  return readFeatureName(`${feature.singular.kebab}-${wordsOfLinks(name).join('-')}`);
}

function wordsOfLinks(name: string): string[] {
  const words = wordsOf(name);
  return words.length > 1 && /^ids?$/.test(words.at(-1) ?? '') ? words.slice(0, -1) : words;
}
