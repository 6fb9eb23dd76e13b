import { type Command, Option } from 'commander';
import type { AdminFilter } from '../validation/admin-filter';
import { optionReader, readText } from './option-values';

/** Adds the options of the filters of a list. */
export function addFilters(command: Command, filters: readonly AdminFilter[]): Command {
  for (const option of filters.flatMap(optionsOf)) command.addOption(option);
  return command;
}

/** Picks the values of filters, by their names, from the options given. */
export function filterValues(filters: readonly AdminFilter[], options: object): Record<string, unknown> {
  const given = options as Readonly<Record<string, unknown>>;
  return Object.fromEntries(filters.map((filter) => [filter.name, valueIn(filter, given)]));
}

function optionsOf({ option, help, values: { choices = [], read } = {} }: AdminFilter): Option[] {
  if (option === undefined)
    return choices.flatMap((one) => (one.option ? new Option(one.option, one.help) : []));
  const made = new Option(option, help);
  if (choices.length > 0) return [made.choices(choices.map(({ value }) => value))];
  return [made.argParser(read ? optionReader((text) => read(readText(text))) : readText)];
}

/** Returns the value of the filter's option, or the choices whose options are given; undefined without any. */
function valueIn(
  { option, operator, values }: AdminFilter,
  given: Readonly<Record<string, unknown>>,
): unknown {
  if (option !== undefined) {
    const value = given[new Option(option).attributeName()];
    return operator === 'in' && value !== undefined ? [value] : value;
  }
  const chosen = (values?.choices ?? []).filter(
    (one) => one.option && given[new Option(one.option).attributeName()],
  );
  return chosen.length > 0 ? chosen.map(({ value }) => value) : undefined;
}
