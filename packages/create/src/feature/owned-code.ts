import { type CodedField, codedField } from './field-code.ts';
import { importNames } from './import-names.ts';
import type { LinkedOwned } from './references.ts';
import { capitalized, textLiteral } from '../text/spelling.ts';

/** An array of objects with the code it makes in each layer. */
export interface OwnedCode extends Omit<LinkedOwned, 'fields'> {
  readonly fields: readonly CodedField[];
  readonly enums: readonly CodedField[];
  readonly references: readonly CodedField[];
  /** Fields whose columns have a condition. */
  readonly checks: readonly CodedField[];
  /** Decorator of the member in the DTO, and its arguments. */
  readonly field: 'ObjectArrayField' | 'ReferenceField';
  readonly fieldArguments: string;
  /** Types of the member in the DTO and in the entity. */
  readonly typescript: { readonly dto: string; readonly entity: string };
  /** Expressions of two values in a test of the feature, the second one in another order. */
  readonly testValues: readonly [string, string];
  /** Names that its entity and its DTO import from a package. */
  readonly imports: Readonly<Record<'typeorm' | 'columns' | 'fields', string>>;
}

/**
 * Works out the code of an array of objects.
 *
 * @param owner the feature's singular, in words
 */
export function ownedCode(owned: LinkedOwned, owner: string): OwnedCode {
  const { item, isLinks } = owned;
  const fields = owned.fields.map((field) => codedField(field, item.singular.words));
  const references = fields.filter(({ reference }) => reference);
  const checks = fields.filter(({ check }) => check !== '');
  return {
    ...owned,
    fields,
    references,
    checks,
    enums: fields.filter((field) => field.enum),
    field: isLinks ? 'ReferenceField' : 'ObjectArrayField',
    fieldArguments: fieldArguments(owned, fields, owner),
    typescript: isLinks
      ? { dto: 'bigint[]', entity: 'bigint[]' }
      : { dto: `${item.singular.pascal}Dto[]`, entity: `${item.singular.pascal}[]` },
    testValues: [testValue(owned, fields, 0), testValue(owned, fields, 1)],
    imports: {
      typeorm: importNames([
        ...(checks.length > 0 ? ['Check'] : []),
        'Entity',
        ...(references.length > 0 ? ['ForeignKey', 'Index'] : []),
        'JoinColumn',
        'ManyToOne',
        'PrimaryColumn',
      ]),
      columns: importNames(fields.map(({ code }) => code.column)),
      fields: importNames(fields.map(({ code }) => code.field)),
    },
  };
}

function fieldArguments(owned: LinkedOwned, fields: readonly CodedField[], owner: string): string {
  const { item, options, words, isLinks, optional } = owned;
  const { minItems, maxItems } = options;
  const folder = fields[0]?.reference?.folder ?? '';
  const usual = isLinks
    ? `${capitalized(words)} of the ${owner}, in their order: each the \`id\` of one of the ${folder.replaceAll('-', ' ')}.`
    : `${capitalized(words)} of the ${owner}, in their order.`;
  const counts = Object.entries({ minItems, maxItems }).filter(([, count]) => count !== undefined);
  const members = [
    `description: ${textLiteral(options.description ?? usual)}`,
    ...(isLinks ? [`example: ${exampleOf(Number(minItems ?? 1))}`, 'isArray: true'] : []),
    ...counts.map(([name, count]) => `${name}: ${count}`),
    ...(isLinks ? ['uniqueItems: true'] : []),
    ...(optional ? ['default: []'] : []),
  ];
  return `${isLinks ? `'/${folder}'` : `${item.singular.pascal}Dto`}, { ${members.join(', ')} }`;
}

/** The first ids. */
function exampleOf(minItems: number): string {
  return `[${Array.from({ length: Math.max(1, minItems) }, (_, index) => index + 1).join(', ')}]`;
}

function testValue(
  { options: { minItems = '0', maxItems = '2' }, isLinks }: LinkedOwned,
  fields: readonly CodedField[],
  start: number,
): string {
  const items = [0, 1].map((index) => {
    if (isLinks) return fields[0]?.testValues[0];
    const members = fields.map(({ name, testValues }) => `${name}: ${testValues[(start + index) % 2]}`);
    return `{ ${members.join(', ')} }`;
  });
  const count = Math.max(Number(minItems), Math.min(2, Number(maxItems)));
  return `[${Array.from({ length: count }, (_, index) => items[index % 2]).join(', ')}]`;
}
