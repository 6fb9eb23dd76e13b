import { type CodedField, codedField } from './field-code.ts';
import type { OwnedField } from './owned-fields.ts';
import type { LinkedField } from './references.ts';
import { capitalized, textLiteral } from '../text/spelling.ts';

/** An array of objects whose fields have their references. */
export type LinkedOwned = Omit<OwnedField, 'fields'> & { readonly fields: readonly LinkedField[] };

/** An array of objects with the code it makes in each layer. */
export interface OwnedCode extends Omit<LinkedOwned, 'fields'> {
  readonly fields: readonly CodedField[];
  readonly enums: readonly CodedField[];
  readonly references: readonly CodedField[];
  /** Fields whose columns have a condition. */
  readonly checks: readonly CodedField[];
  /** Arguments of the DTO's decorator. */
  readonly fieldArguments: string;
  /** Expressions of two values in a test of the feature, the second one in another order. */
  readonly testValues: readonly [string, string];
  /** Names that its entity and its DTO import from one module, sorted. */
  readonly imports: Readonly<Record<'typeorm' | 'columns' | 'fields', readonly string[]>>;
}

/**
 * Works out the code of an array of objects.
 *
 * @param owner the feature's singular, in words
 */
export function ownedCode(owned: LinkedOwned, owner: string): OwnedCode {
  const { item, options, words } = owned;
  const { minItems, maxItems } = options;
  const fallback = owned.optional ? ', default: []' : '';
  const fields = owned.fields.map((field) => codedField(field, item.singular.words));
  const references = fields.filter(({ reference }) => reference);
  const checks = fields.filter(({ check }) => check !== '');
  const description = options.description ?? `${capitalized(words)} of the ${owner}, in their order.`;
  const counts = Object.entries({ minItems, maxItems }).filter(([, count]) => count !== undefined);
  return {
    ...owned,
    fields,
    references,
    checks,
    enums: fields.filter((field) => field.enum),
    fieldArguments: `${item.singular.pascal}Dto, { description: ${textLiteral(description)}${counts.map(([name, count]) => `, ${name}: ${count}`).join('')}${fallback} }`,
    testValues: [testValue(fields, options, 0), testValue(fields, options, 1)],
    imports: {
      typeorm: [
        ...(checks.length > 0 ? ['Check'] : []),
        'Entity',
        ...(references.length > 0 ? ['ForeignKey', 'Index'] : []),
        'JoinColumn',
        'ManyToOne',
        'PrimaryColumn',
      ],
      columns: [...new Set(fields.map(({ code }) => code.column))].sort(),
      fields: [...new Set(fields.map(({ code }) => code.field))].sort(),
    },
  };
}

function testValue(
  fields: readonly CodedField[],
  { minItems = '0', maxItems = '2' }: LinkedOwned['options'],
  start: number,
): string {
  const items = [0, 1].map((index) => {
    const members = fields.map(({ name, testValues }) => `${name}: ${testValues[(start + index) % 2]}`);
    return `{ ${members.join(', ')} }`;
  });
  const count = Math.max(Number(minItems), Math.min(2, Number(maxItems)));
  return `[${Array.from({ length: count }, (_, index) => items[index % 2]).join(', ')}]`;
}
