import { Refusal } from '../refusal.ts';
import { type FieldEnum, readEnum } from './field-enum.ts';
import { type FieldOptions, readOptions } from './field-options.ts';
import { type Detail, readFieldText, readOwnedText, splitFields } from './field-text.ts';
import { FIELD_TYPES, type FieldCode, type FieldType } from './field-types.ts';
import type { DecimalDigits } from './field-samples.ts';
import { refuseWrongRules, withWholeDecimals } from './field-values.ts';
import { refuseSharedParameters } from './list-parameters.ts';
import type { FeatureNames } from './names.ts';
import { isReservedWord, spell, wordsOf } from '../text/spelling.ts';

/** A member that a feature stores. */
export interface Field {
  /** `shipDate` */
  readonly name: string;
  /** `ship_date` */
  readonly column: string;
  /** `ship date` */
  readonly words: string;
  readonly type: FieldType;
  /** Forms of its type in code. */
  readonly code: FieldCode;
  /** True if it holds any number of values of its type. */
  readonly isArray: boolean;
  readonly optional: boolean;
  /** Limits, a default and all its other options. */
  readonly options: FieldOptions;
  /** True if the list can be filtered by it. */
  readonly isFilter: boolean;
  /** Undefined unless the type is an enum. */
  readonly enum: FieldEnum | undefined;
  /** Undefined unless the type is a decimal. */
  readonly digits: DecimalDigits | undefined;
  /** Feature that a ref names; it may not exist. */
  readonly target: string | undefined;
}

const KNOWN_TYPES = Object.keys(FIELD_TYPES)
  .map((type) => ({ enum: 'enum(a|b|c)', ref: 'ref(<feature>)', decimal: 'decimal(10,2)' })[type] ?? type)
  .join(', ');

const FIELD_NAME = /^[a-z][A-Za-z0-9]*$/;

const OF_EVERY_LIST = 'it is a parameter of every list';

/** Names that fields cannot have, with the reasons. */
const RESERVED_NAMES: ReadonlyMap<string, string> = new Map([
  ['cursor', OF_EVERY_LIST],
  ['limit', OF_EVERY_LIST],
  ['then', 'an object with a member of that name is taken for a promise'],
  ['example', 'linters of OpenAPI would take it for an example of the schema'],
]);

/**
 * Reads fields, separated by spaces or commas: `petId:ref(pets) status:enum(placed|approved)? note:string(max=50)?`.
 *
 * @throws Refusal
 */
export function readFields(text: string, feature: FeatureNames): Field[] {
  const fields = splitFields(text).map((field) => readField(field, feature));
  if (fields.length === 0) {
    throw new Refusal('A feature needs at least one field, as in note:string?.');
  }
  refuseSharedParameters(fields);
  fields.forEach(({ name, column }, index) => {
    const twin = fields.slice(0, index).find((other) => other.column === column);
    if (twin?.name === name) throw new Refusal(`The field ${name} is declared twice.`);
    if (twin) throw new Refusal(`The fields ${twin.name} and ${name} would share the column ${column}.`);
  });
  refuseClosed(fields);
  return fields;
}

/**
 * Reads one field.
 *
 * @throws Refusal
 */
export function readField(text: string, feature: FeatureNames): Field {
  refuseObjects(text);
  const { name, type, details = [], isArray, optional } = readFieldText(text);
  refuseName(name);
  refuseType(name, type);
  if (type === 'ref' && isArray) {
    throw new Refusal(
      `The field ${name} cannot be an array of ref: no database has foreign keys of items. Write ${name}:refs(${details[0]?.text || 'pets'}).`,
    );
  }
  const subject = subjectOf(name, type, details[0]);
  const digits = type === 'decimal' ? readDigits(name, details) : undefined;
  const words = spell(wordsOf(name));
  const ownEnum = type === 'enum' ? readEnum(name, subject ?? '', feature) : undefined;
  const given = readOptions(
    { name, type, isArray },
    details.slice(digits ? 2 : Number(subject !== undefined)),
  );
  refuseWrongRules({ name, type, isArray, options: given, enum: ownEnum, digits });
  const options = digits ? withWholeDecimals(given, digits) : given;
  if (optional && options.default !== undefined) {
    throw new Refusal(`The field ${name} has a default, so it always has a value and cannot be optional.`);
  }
  if (options.access === 'read-only' && !optional && options.default === undefined) {
    throw new Refusal(`The field ${name} is read-only and must be optional or have a default.`);
  }
  const code: FieldCode = FIELD_TYPES[type];
  const typescript = ownEnum?.name ?? code.typescript;
  return {
    name,
    column: words.snake,
    words: words.words,
    type,
    code: { ...code, typescript: isArray ? `${typescript}[]` : typescript },
    isArray,
    optional,
    options,
    isFilter: code.parameter !== undefined && !isArray,
    enum: ownEnum,
    digits,
    target: type === 'ref' ? subject : undefined,
  };
}

/** Refuses an array of objects, which needs a table of its own. */
function refuseObjects(text: string): void {
  const owned = readOwnedText(text);
  if (!owned) return;
  throw new Refusal(
    `The field ${owned.name} holds objects, which get a table of their own: only a feature without --parent accepts them, and not within another object.`,
  );
}

function refuseClosed(fields: readonly Field[]): void {
  if (fields.every(({ options }) => options.access === 'read-only')) {
    throw new Refusal('At least one field must be given at creation: every field is read-only.');
  }
  if (fields.every(({ options }) => options.access !== 'open')) {
    throw new Refusal('At least one field must be open to changes: every field is create-only or read-only.');
  }
}

/**
 * Refuses names that fields cannot have.
 *
 * @throws Refusal
 */
export function refuseName(name: string): void {
  if (!FIELD_NAME.test(name)) {
    throw new Refusal(`${JSON.stringify(name)} cannot name a field: use camelCase, as in shipDate.`);
  }
  if (name === 'id' || wordsOf(name).join('_') === 'created_at') {
    throw new Refusal(`The field ${name} already exists: every feature has it.`);
  }
  const reason = RESERVED_NAMES.get(name);
  if (reason !== undefined) throw new Refusal(`"${name}" cannot name a field: ${reason}.`);
  if (isReservedWord(name)) {
    throw new Refusal(`"${name}" cannot name a field: it is a reserved word of TypeScript.`);
  }
  if (name in Object.prototype) {
    throw new Refusal(`"${name}" cannot name a field: every object has a member of that name.`);
  }
}

function refuseType(name: string, type: string): asserts type is FieldType {
  if (type === 'refs') {
    throw new Refusal(
      `The field ${name} holds links, which get a table of their own: only a feature without --parent accepts refs, and not within an object.`,
    );
  }
  if (!Object.hasOwn(FIELD_TYPES, type)) {
    throw new Refusal(`The field ${name} has the unknown type ${type}: the types are ${KNOWN_TYPES}.`);
  }
}

/**
 * Reads the digits of a decimal. SQLite keeps it in a double, which tells decimals of up to 15 digits apart.
 *
 * @throws Refusal
 */
function readDigits(name: string, [first, second]: readonly Detail[]): DecimalDigits {
  const [precision = 0, scale = 16] = [first, second].map((part) =>
    part && /^\d{1,2}$/.test(part.text) ? Number(part.text) : undefined,
  );
  if (precision < 1 || precision > 15 || scale > precision) {
    throw new Refusal(
      `The field ${name} needs the number of its digits, at most 15, and how many of them follow the point, as in decimal(10,2).`,
    );
  }
  return { precision, scale };
}

/** The argument that a type needs first: the values of an enum, the feature of a ref. */
function subjectOf(name: string, type: FieldType, first: Detail | undefined): string | undefined {
  if (type === 'ref' && (!first?.text || first.value !== undefined)) {
    throw new Refusal(`The field ${name} must name a feature, as in ref(pets).`);
  }
  return type === 'ref' || type === 'enum' ? (first?.text ?? '') : undefined;
}
