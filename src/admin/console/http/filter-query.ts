import type { AdminFilter } from '../../../platform/validation/admin-filter';
import { KINDS } from '../../../platform/values/kinds/kinds';
import { isStorableText, TEXT_RULE } from '../../../platform/values/kinds/text.kind';
import { InvalidValueError, parseDay } from '../../../platform/values/written-values';
import { startOfDay } from '../../../platform/values/text-formats';
import { endOfDay } from './days';

/** The filters of a list, as the query of an address sets them. */
export interface FilterQuery {
  /** Texts as typed, by filter. */
  readonly texts: Readonly<Record<string, string>>;
  /** Values by filter. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Faults by filter; one at fault does not restrict the list. */
  readonly faults: Readonly<Record<string, string>>;
}

/** Reads the filters of an address. An unknown choice counts as none: the form could not show it. */
export function readFilterQuery(filters: readonly AdminFilter[], query: URLSearchParams): FilterQuery {
  const texts: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const filter of filters) {
    const text = textOf(filter, query);
    if (text === undefined) continue;
    texts[filter.name] = text;
    try {
      values[filter.name] =
        filter.operator === 'in' ? severalIn(text).map((one) => valueOf(filter, one)) : valueOf(filter, text);
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      faults[filter.name] = error.message;
    }
  }
  return { texts, values, faults };
}

function textOf(
  { name, operator, values, fallback }: AdminFilter,
  query: URLSearchParams,
): string | undefined {
  const given = operator === 'in' ? severalIn(query.getAll(name).join()).join() : query.get(name)?.trim();
  const text = given || fallback;
  const { choices } = values ?? {};
  const isKnown =
    !choices || severalIn(text ?? '').every((one) => choices.some(({ value }) => value === one));
  return isKnown ? text : fallback;
}

/** The texts of a filter of several values, which commas separate. */
function severalIn(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}

/** @throws InvalidValueError */
function valueOf({ operator, values = {} }: AdminFilter, text: string): unknown {
  const { read, type } = values;
  if (!isStorableText(text)) throw new InvalidValueError(`The text ${TEXT_RULE}.`);
  if (type === 'date') return operator === 'before' ? endOfDay(parseDay(text)) : startOfDay(parseDay(text));
  const written = type === 'datetime-local' ? KINDS['date-time'].control.canonical(text) : text;
  return read ? read(written) : written;
}
