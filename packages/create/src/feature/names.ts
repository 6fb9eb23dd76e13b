import pluralize from 'pluralize';
import { Refusal } from '../refusal.ts';
import { isReservedWord, type Spelling, spell, withArticle, wordsOf } from '../text/spelling.ts';

/** Names of a feature and its parts. */
export interface FeatureNames {
  /** Name of one record: files, classes, error codes. */
  readonly singular: Spelling;
  /** Name of all records: the folder, the path, the scopes. The same as the singular for words such as `sheep`. */
  readonly plural: Spelling;
  readonly table: string;
  /** Schema of the list: `Orders`, or `SheepList`, for `Sheep` is the schema of one record. */
  readonly listSchema: string;
  /** Parameter of the paths of one record: `orderId`. */
  readonly idParameter: string;
  /** Beginning of error codes: `order`, as in `order_not_found`. */
  readonly errorPrefix: string;
  /** Singular in texts: `an order`. */
  readonly withArticle: string;
}

const NAME = /^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z][A-Za-z0-9]*)*$/;

/**
 * Folders of `src`, parts of the service, paths it serves itself; and names of its commands, scopes of operators and audit
 * events, which records with such a name would share (see `src/admin/records/record-kinds.ts`).
 */
const RESERVED: ReadonlySet<string> = new Set([
  ...'admin api auth cli common dist docs health index main metrics node platform src test'.split(' '),
  ...'audit config db doctor erasures find help jobs keys openapi read read-only report requests saved-views seed service sessions'.split(
    ' ',
  ),
]);

/** Words for which the rules of `pluralize` are wrong: `caches` would become `cach`. */
const IRREGULAR: readonly (readonly [singular: string, plural: string])[] = [
  ['avalanche', 'avalanches'],
  ['axis', 'axes'],
  ['basis', 'bases'],
  ['brownie', 'brownies'],
  ['cache', 'caches'],
  ['calorie', 'calories'],
  ['canvas', 'canvases'],
  ['cookie', 'cookies'],
  ['excuse', 'excuses'],
  ['fuse', 'fuses'],
  ['headache', 'headaches'],
  ['lens', 'lenses'],
  ['niche', 'niches'],
  ['premise', 'premises'],
  ['schema', 'schemas'],
  ['selfie', 'selfies'],
  ['virus', 'viruses'],
];
const UNCOUNTABLE = ['dns', 'gps', 'metadata', 'sms'];

for (const [singular, plural] of IRREGULAR) pluralize.addIrregularRule(singular, plural);
for (const word of UNCOUNTABLE) pluralize.addUncountableRule(word);

/**
 * The singular and the plural of a name in kebab, snake, camel or Pascal case, given in either form. Only the last word
 * inflects.
 *
 * @returns undefined for a text that cannot be a name
 */
export function inflect(text: string): Pick<FeatureNames, 'singular' | 'plural'> | undefined {
  if (!NAME.test(text)) return undefined;
  const words = wordsOf(text);
  const last = pluralize.singular(words.pop() as string);
  return { singular: spell([...words, last]), plural: spell([...words, pluralize.plural(last)]) };
}

/** @throws Refusal */
function asGiven(text: string, pluralText: string): Pick<FeatureNames, 'singular' | 'plural'> | undefined {
  if (!NAME.test(pluralText)) {
    throw new Refusal(
      `${JSON.stringify(pluralText)} cannot be a plural: use words of letters and digits, each beginning with a letter, as in welcome-mails.`,
    );
  }
  if (!NAME.test(text)) return undefined;
  return { singular: spell(wordsOf(text)), plural: spell(wordsOf(pluralText)) };
}

/**
 * The names of a feature, from the name its author gives.
 *
 * @param pluralText its plural, if it does not follow the rules of English; the name is the singular then
 * @throws Refusal
 */
export function readFeatureName(text: string, pluralText?: string): FeatureNames {
  const names = pluralText === undefined ? inflect(text) : asGiven(text, pluralText);
  if (!names) {
    throw new Refusal(
      `${JSON.stringify(text)} cannot name a feature: use words of letters and digits, each beginning with a letter, as in status-changes.`,
    );
  }
  const { singular, plural } = names;
  for (const { kebab, camel } of [singular, plural]) {
    if (RESERVED.has(kebab)) throw new Refusal(`"${kebab}" is reserved by the service; choose another name.`);
    if (isReservedWord(camel)) {
      throw new Refusal(`"${text}" cannot name a feature: ${camel} is a reserved word of TypeScript.`);
    }
  }
  return featureNames(names);
}

/** The names of a feature with this singular and plural. */
export function featureNames({ singular, plural }: Pick<FeatureNames, 'singular' | 'plural'>): FeatureNames {
  return {
    singular,
    plural,
    table: plural.snake,
    listSchema: plural.kebab === singular.kebab ? `${singular.pascal}List` : plural.pascal,
    idParameter: `${singular.camel}Id`,
    errorPrefix: singular.snake,
    withArticle: withArticle(singular.words),
  };
}
