import type { LinkedField } from './references.ts';
import { capitalized } from './spelling.ts';

/** A field with the code it makes in each layer. */
export interface CodedField extends LinkedField {
  /** Between the parentheses of the column's decorator. */
  readonly columnOptions: string;
  /** For the document. */
  readonly description: string;
  /** An expression for the document. */
  readonly example: string;
  /** Expressions of two values in a test of the feature; the same one twice where there is no other. */
  readonly testValues: readonly [string, string];
  /** The condition that holds an enum's column to its values; empty for others. */
  readonly check: string;
}

/**
 * Works out the code of a field.
 *
 * @param owner the feature's singular, in words
 */
export function codedField(field: LinkedField, owner: string): CodedField {
  const description = descriptionOf(field, owner);
  const common = { ...field, columnOptions: columnOptions(field), description, check: '' };
  const { code, enum: own, reference, column } = field;
  if (own) {
    const values = own.members.map(({ value }) => `'${value}'`);
    return {
      ...common,
      example: `${own.name}.${own.members[0]?.name}`,
      testValues: [values[0] as string, values.at(-1) as string],
      check: `"${column}" IN (${values.join(', ')})`,
    };
  }
  const sample = reference && `await addSample(service, '/${reference.folder}')`;
  return { ...common, example: code.values[0], testValues: sample ? [sample, sample] : code.values };
}

function columnOptions({ name, column, optional }: LinkedField): string {
  const options = [
    ...(column === name ? [] : [`name: '${column}'`]),
    ...(optional ? ['nullable: true'] : []),
  ];
  return options.length > 0 ? `{ ${options.join(', ')} }` : '';
}

function descriptionOf({ words, reference }: LinkedField, owner: string): string {
  const text = `${capitalized(words)} of the ${owner}`;
  return reference
    ? `${text}: the \`id\` of one of the ${reference.folder.replaceAll('-', ' ')}.`
    : `${text}.`;
}
