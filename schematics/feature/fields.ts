import { Refusal } from '../refusal.ts';
import { type FieldEnum, readEnum } from './field-enum.ts';
import { FIELD_TYPES, type FieldCode, type FieldType } from './field-types.ts';
import type { FeatureNames } from './names.ts';
import { isReservedWord, spell, wordsOf } from './spelling.ts';

/** A member of what a feature stores. */
export interface Field {
  /** `shipDate` */
  readonly name: string;
  /** `ship_date` */
  readonly column: string;
  /** `ship date` */
  readonly words: string;
  readonly type: FieldType;
  /** What the type makes of it in code. */
  readonly code: FieldCode;
  readonly optional: boolean;
  /** Whether the list can be narrowed by it. */
  readonly isFilter: boolean;
  /** Of an enum. */
  readonly enum: FieldEnum | undefined;
  /** What a ref names: a feature, which may or may not be there. */
  readonly target: string | undefined;
}

const KNOWN_TYPES = Object.keys(FIELD_TYPES)
  .map((type) => ({ enum: 'enum(a|b|c)', ref: 'ref(<feature>)' })[type] ?? type)
  .join(', ');

/** What stands between separators; parentheses keep theirs. One without a partner makes a malformed field. */
const FIELD_TEXT = /(?:[^\s,()]|\([^()]*\)?)+|\)/g;
const FIELD = /^(?<name>[^:()?]+):(?<type>[a-z0-9-]+)(?:\((?<detail>[^()]*)\))?(?<optional>\?)?$/i;
const FIELD_NAME = /^[a-z][A-Za-z0-9]*$/;

const OF_EVERY_LIST = 'it is a parameter of every list';

/** Names that fields cannot have, and why. */
const RESERVED_NAMES: ReadonlyMap<string, string> = new Map([
  ['cursor', OF_EVERY_LIST],
  ['limit', OF_EVERY_LIST],
  ['example', 'linters of OpenAPI would take it for an example of the schema'],
]);

/**
 * Reads fields, separated by spaces or commas: `petId:ref(pets) status:enum(placed|approved)? note:string?`.
 *
 * @throws Refusal
 */
export function readFields(text: string, feature: FeatureNames): Field[] {
  const fields = (text.match(FIELD_TEXT) ?? []).map((field) => readField(field, feature));
  if (fields.length === 0) {
    throw new Refusal('A feature needs at least one field, as in note:string?.');
  }
  fields.forEach(({ name, column }, index) => {
    const twin = fields.slice(0, index).find((other) => other.column === column);
    if (twin?.name === name) throw new Refusal(`The field ${name} is there twice.`);
    if (twin) throw new Refusal(`The fields ${twin.name} and ${name} would share the column ${column}.`);
  });
  return fields;
}

function readField(text: string, feature: FeatureNames): Field {
  const parts = FIELD.exec(text)?.groups;
  if (!parts) {
    throw new Refusal(
      `${JSON.stringify(text)} is not a field: name:type is needed, as in note:string or note:string?.`,
    );
  }
  const { name = '', type = '', detail, optional } = parts;
  refuseName(name);
  const known = readType(name, type, detail);
  const words = spell(wordsOf(name));
  const ownEnum = known === 'enum' ? readEnum(name, detail ?? '', feature) : undefined;
  const code: FieldCode = FIELD_TYPES[known];
  return {
    name,
    column: words.snake,
    words: words.words,
    type: known,
    code: ownEnum ? { ...code, typescript: ownEnum.name } : code,
    optional: optional !== undefined,
    isFilter: code.parameter !== undefined,
    enum: ownEnum,
    target: known === 'ref' ? detail?.trim() : undefined,
  };
}

function refuseName(name: string): void {
  if (!FIELD_NAME.test(name)) {
    throw new Refusal(
      `${JSON.stringify(name)} cannot name a field: a word in camelCase is needed, as in shipDate.`,
    );
  }
  if (name === 'id' || wordsOf(name).join('_') === 'created_at') {
    throw new Refusal(`The field ${name} is there already: every feature has one.`);
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

function readType(name: string, type: string, detail: string | undefined): FieldType {
  if (!isFieldType(type)) {
    throw new Refusal(`The field ${name} has the unknown type ${type}: the types are ${KNOWN_TYPES}.`);
  }
  if (type === 'ref' && !detail?.trim()) {
    throw new Refusal(`The field ${name} must name a feature, as in ref(pets).`);
  }
  if (type !== 'ref' && type !== 'enum' && detail !== undefined) {
    throw new Refusal(`The field ${name} must be ${type} alone, without parentheses.`);
  }
  return type;
}

function isFieldType(text: string): text is FieldType {
  return Object.hasOwn(FIELD_TYPES, text);
}
