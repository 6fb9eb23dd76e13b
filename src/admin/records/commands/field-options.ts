import { InvalidArgumentError, Option } from 'commander';
import { readInstant, readText } from '../../../platform/cli/option-values';
import { descriptionText } from '../../../platform/html/description';
import type { RecordListFilter } from '../record-filters';
import { exactJson } from '../../../platform/values/exact-json';
import { choicesOf, type RecordField } from '../record-fields';
import { type FieldTexts, valueOf } from '../record-values';

/** A filter by the values of a field. */
export type FieldFilter = RecordListFilter & Required<Pick<RecordListFilter, 'as'>>;

/** The options of a command as commander returns them, by name in camel case. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** Options of the commands themselves: a field with such a name gets an option with the prefix `field-`. */
const RESERVED: ReadonlySet<string> = new Set(
  'id from to not-set removed sort desc limit after json yes expect if-version format output dry-run rejects again help'.split(
    ' ',
  ),
);

/** Beginning of the flags for new values in commands whose plain flags choose records. */
export type Prefix = '' | 'set-';

/** The flag of a field: `--category-id` for `categoryId`. */
export function flagOf(name: string, prefix: Prefix = ''): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (prefix !== '') return `--${prefix}${words}`;
  // Commander would take a name with `no-` for the negation of another option.
  return RESERVED.has(words) || /^(?:no|set)-/.test(words) ? `--field-${words}` : `--${words}`;
}

/**
 * An option that takes the text of a field, which may be empty; for an array it takes each item, or no value for the empty
 * array.
 */
export function valueOption(field: RecordField, prefix?: Prefix): Option {
  const { name, kind, items, values, isOptional, fallback } = field;
  const description = descriptionText(field.description);
  const absence = fallback === undefined ? ['optional'] : [`${fallback} unless given`];
  const form = items === undefined ? kind : `${items}, any number`;
  const rules = [...(values.length > 0 && items === undefined ? [] : [form]), ...(isOptional ? absence : [])];
  const text = rules.length > 0 ? `${description} (${rules.join(', ')})` : description;
  return items === undefined
    ? withChoices(new Option(`${flagOf(name, prefix)} <value>`, text), field).argParser(readValue)
    : withChoices(new Option(`${flagOf(name, prefix)} [values...]`, text), field).argParser(readItem);
}

/** Writes the option of a field with its example, quoted for a shell. */
export function exampleOption({ name, items, example }: RecordField, prefix?: Prefix): string {
  const texts = items === undefined ? [example] : (JSON.parse(example) as unknown[]).map(String);
  return [flagOf(name, prefix), ...texts.map(quoted)].join(' ');
}

function quoted(text: string): string {
  return /^[\w.:+-]+$/.test(text) ? text : `'${text.replaceAll("'", '')}'`;
}

/** An option that filters records by a field. */
export function filterOption({ name, operator, as, help }: FieldFilter): Option {
  const flag = flagOf(name);
  if (operator === 'in') return withChoices(new Option(`${flag} <values...>`, help), as).argParser(readItem);
  if (as.kind === 'date-time') {
    // As everywhere on the command line, a day stands for its beginning.
    return new Option(`${flag} <instant>`, help).argParser((text) => readInstant(text).toISOString());
  }
  const option = new Option(`${flag} <${operator === 'contains' ? 'text' : 'value'}>`, help);
  return withChoices(option, as).argParser(readText);
}

/** Names the possible values in the help and to shells. The rule of the field validates the text. */
function withChoices(option: Option, field: RecordField): Option {
  const choices = choicesOf(field);
  return choices.length > 0 ? option.choices(choices) : option;
}

/** Picks the texts of fields from the options given. */
export function fieldTexts(
  fields: readonly RecordField[],
  options: OptionValues,
  prefix?: Prefix,
): FieldTexts {
  const given = fields.map(
    (field) => [field.name, textOf(field, options[attributeOf(field.name, prefix)])] as const,
  );
  return Object.fromEntries(given.filter(([, text]) => text !== undefined));
}

function textOf({ items }: RecordField, given: unknown): string | undefined {
  if (items === undefined || given === undefined) return given as string | undefined;
  // Commander gives true for an option without values.
  const texts = given === true ? [] : (given as string[]);
  const isEmpty = texts.length === 1 && texts[0] === '';
  return isEmpty ? '' : exactJson(texts.map((text) => valueOf(items, text)));
}

/** The member of a command's options for a field. */
export function attributeOf(name: string, prefix?: Prefix): string {
  return new Option(flagOf(name, prefix)).attributeName();
}

/** @throws InvalidArgumentError */
function readItem(text: string, before: readonly string[] = []): string[] {
  return [...before, readValue(text)];
}

/** @throws InvalidArgumentError */
function readValue(text: string): string {
  if (!text.startsWith('--')) return text;
  throw new InvalidArgumentError('The value is missing: this text looks like an option.');
}
