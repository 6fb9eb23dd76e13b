import { readUuid } from '../text-formats';
import type { Kind } from './kind';

/** A UUID of any version in its canonical text form (RFC 9562), taken in either case, and in lower case in responses. */
export const uuidKind = {
  rule: () => ({
    schema: { type: 'string', format: 'uuid' },
    read: (value) => readUuid(value) ?? value,
    isValid: (value) => readUuid(value) !== undefined,
    sentence: 'must be a UUID such as 9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
  }),
  fromText: readUuid,
  column: { word: 'uuid', type: 'uuid', sqlite: 'text', postgres: 'uuid' },
  control: { showsExample: true },
} as const satisfies Kind<object>;
