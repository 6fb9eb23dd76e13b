import { Refusal } from '../refusal.ts';
import type { FeatureNames } from './names.ts';
import { spell, wordsOf } from './spelling.ts';

/** The enum of a field. */
export interface FieldEnum {
  /** `OrderStatus`: the TypeScript enum and the schema. */
  readonly name: string;
  /** `order-status`: its file, without the extension. */
  readonly file: string;
  readonly members: readonly EnumMember[];
}

/** A member of an enum: `InProgress = 'in-progress'`. */
export interface EnumMember {
  readonly name: string;
  readonly value: string;
}

const VALUE = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * Reads the values of an enum, separated by bars: `placed|approved`.
 *
 * @throws Refusal
 */
export function readEnum(field: string, text: string, { singular }: FeatureNames): FieldEnum {
  if (text.trim() === '') {
    throw new Refusal(
      `The enum of the field ${field} has no values: name them, as in enum(placed|approved).`,
    );
  }
  const members = text.split('|').map((part) => readMember(field, part.trim()));
  members.forEach(({ name, value }, index) => {
    const twin = members.slice(0, index).find((other) => other.name === name);
    if (twin?.value === value) {
      throw new Refusal(`The enum of the field ${field} has the value ${value} twice.`);
    }
    if (twin) {
      throw new Refusal(
        `The enum of the field ${field} would call both ${twin.value} and ${value} by the name ${name}.`,
      );
    }
  });
  const { pascal, kebab } = spell([...wordsOf(singular.kebab), ...wordsOf(field)]);
  return { name: pascal, file: kebab, members };
}

function readMember(field: string, value: string): EnumMember {
  if (!VALUE.test(value)) {
    throw new Refusal(
      `${JSON.stringify(value)} cannot be a value of the enum of the field ${field}: letters, digits, hyphens and underscores are needed, beginning with a letter.`,
    );
  }
  return { name: spell(wordsOf(value).filter((word) => word !== '')).pascal, value };
}
