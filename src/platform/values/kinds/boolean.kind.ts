import type { Kind } from './kind';

/** true or false. */
export const booleanKind = {
  rule: () => ({
    schema: { type: 'boolean' },
    isValid: (value) => typeof value === 'boolean',
    sentence: 'must be true or false',
  }),
  fromText: readBoolean,
  toJson: (text) => readBoolean(text) ?? text,
  column: {
    word: 'boolean',
    type: 'boolean',
    sqlite: 'boolean',
    postgres: 'boolean',
    isConvertedOnSqlite: true,
  },
  control: { type: 'select', choices: { true: 'Yes', false: 'No' } },
} as const satisfies Kind<object>;

function readBoolean(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}
