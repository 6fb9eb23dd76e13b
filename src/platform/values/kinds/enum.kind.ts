import type { Kind } from './kind';

/** Extension of a member with the labels that people read in place of the values of its enum. */
export const ENUM_LABELS = 'x-enum-labels';

/** Values of an enum, and its name in the document. */
export interface EnumValues {
  readonly values: readonly string[];
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** One of the values of an enum, which has a schema of its own in the document. The column of a text stores it. */
export const enumKind = {
  rule: ({ values, name, labels }) => ({
    schema: { enum: values, enumName: name, ...(labels && { [ENUM_LABELS]: labels }) },
    isValid: (value) => values.includes(value as string),
    sentence: `must be one of ${values.join(', ')}`,
  }),
  fromText: (text, { values }) => (values.includes(text) ? text : undefined),
  control: { type: 'select' },
} as const satisfies Kind<EnumValues>;
