import { Refusal } from '../refusal.ts';
import type { FieldOptions } from './field-options.ts';
import type { Detail } from './field-text.ts';
import { refuseWrongCounts } from './field-values.ts';
import type { Field } from './fields.ts';
import type { FeatureNames } from './names.ts';

/** An array that is a table of its own: objects, such as the lines of an order, or links with rows of another module. */
export interface OwnedField {
  /** `lines` */
  readonly name: string;
  /** `lines` */
  readonly words: string;
  /** Names of one object, with its owner: `OrderLine`, in the table `order_lines`. */
  readonly item: FeatureNames;
  /** True for links: their only field is a ref, and the array has its ids. */
  readonly isLinks: boolean;
  readonly options: Pick<FieldOptions, 'minItems' | 'maxItems' | 'description'>;
  /** True if a creation may lack it; it is empty then. */
  readonly optional: boolean;
  readonly fields: readonly Field[];
}

export const OWNED_OPTIONS = ['min-items', 'max-items', 'description'];

/**
 * Reads the options of an array that is a table of its own.
 *
 * @throws Refusal
 */
export function readArrayOptions(
  name: string,
  details: readonly Detail[],
  optional: boolean,
): OwnedField['options'] {
  const options = new Map<string, string>();
  for (const { text: detail, key, value } of details) {
    if (!OWNED_OPTIONS.includes(key) || !value) {
      throw new Refusal(
        `${JSON.stringify(detail)} is not an option of the field ${name}: an array of objects takes ${OWNED_OPTIONS.join(', ')}.`,
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
  return { ...counts, description: options.get('description') };
}
