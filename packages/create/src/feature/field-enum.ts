import { Refusal } from '../refusal.ts';
import type { FeatureNames } from './names.ts';
import { spell, wordsOf } from '../text/spelling.ts';

/** The enum of a field. */
export interface FieldEnum {
  /** `OrderStatus`: name of the TypeScript enum and of the schema. */
  readonly name: string;
  /** `order-status`: name of its file, without the extension. */
  readonly file: string;
  readonly members: readonly EnumMember[];
}

/** A member of an enum: `InProgress = 'in-progress'`. */
export interface EnumMember {
  readonly name: string;
  readonly value: string;
  /** Text for people; undefined if the words of the value suffice. */
  readonly label: string | undefined;
}

const VALUE = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** A value that is not an identifier; it needs a label to name it. */
const LABELLED_VALUE = /^[A-Za-z0-9][^\s'"`\\$]*$/;
const LABEL = /^[^'"`\\$*]+$/;

/**
 * Reads the values of an enum, separated by bars: `placed|approved`, `New York=new-york|n/a=none`.
 *
 * @throws Refusal
 */
export function readEnum(field: string, text: string, { singular }: FeatureNames): FieldEnum {
  if (text.trim() === '') {
    throw new Refusal(`The enum of the field ${field} needs values, as in enum(placed|approved).`);
  }
  const members = text.split('|').map((part) => readMember(field, part.trim()));
  members.forEach(({ name, value }, index) => {
    const twin = members.slice(0, index).find((other) => other.name === name);
    if (twin?.value === value) {
      throw new Refusal(`The enum of the field ${field} contains the value ${value} twice.`);
    }
    if (twin) {
      throw new Refusal(
        `The enum of the field ${field} would give ${twin.value} and ${value} the same name, ${name}.`,
      );
    }
  });
  const { pascal, kebab } = spell([...wordsOf(singular.kebab), ...wordsOf(field)]);
  return { name: pascal, file: kebab, members };
}

function readMember(field: string, text: string): EnumMember {
  const [, label, value = text] = /^([^=]*?)\s*=\s*(.*)$/.exec(text) ?? [];
  if (!(label === undefined ? VALUE : LABELLED_VALUE).test(value)) {
    throw new Refusal(
      label === undefined
        ? `${JSON.stringify(value)} cannot be a value of the enum of the field ${field}: use letters, digits, hyphens and underscores, beginning with a letter, or put a label before it, as in New York=new-york.`
        : `${JSON.stringify(value)} cannot be a value of the enum of the field ${field}: it must begin with a letter or a digit and must not contain spaces or quotation marks.`,
    );
  }
  // The label names a value that begins with a digit or has no letters.
  const name = memberName(value) ?? memberName(label ?? '');
  if (name === undefined || (label !== undefined && !LABEL.test(label))) {
    throw new Refusal(
      `${JSON.stringify(text)} cannot be a value of the enum of the field ${field}: the label or the value must begin with a letter, and the label must not contain quotation marks.`,
    );
  }
  return { name, value, label };
}

/** `NewYork` for `new-york`; undefined if the text makes no identifier. */
function memberName(text: string): string | undefined {
  const words =
    text
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[A-Za-z0-9]+/g) ?? [];
  const name = spell(words.flatMap(wordsOf)).pascal;
  return /^[A-Za-z]/.test(name) ? name : undefined;
}
