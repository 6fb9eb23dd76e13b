import type { Type } from '@nestjs/common';
import { exactJson } from '../../platform/values/exact-json';
import type { KindControl } from '../../platform/values/kinds/kind';
import { ENUM_LABELS } from '../../platform/values/kinds/enum.kind';
import { PERSONAL } from '../../platform/validation/field';
import { type KindName, kindNamed, kindOfSchema } from '../../platform/values/kinds/kinds';

/** The kind of a field: a value, or an array of values. As a text, an array is JSON. */
export type FieldKind = KindName | 'array';

/** The control of an array, whose text is JSON. */
const ARRAY_CONTROL: KindControl = { type: 'textarea', showsExample: true };

/** Returns how a form asks for a kind. */
export function controlOf(kind: FieldKind): KindControl {
  return kind === 'array' ? ARRAY_CONTROL : (kindNamed(kind).control ?? {});
}

/** One field of a record, as its DTO declares and documents it. */
export interface RecordField {
  readonly name: string;
  /** Its name in words: `Category id`. */
  readonly label: string;
  readonly kind: FieldKind;
  /** Kind of the items of an array; undefined for other fields. */
  readonly items: KindName | undefined;
  /** Fields of the objects in an array of objects; undefined for other fields. */
  readonly members: readonly RecordField[] | undefined;
  /** Description in the document, in Markdown. */
  readonly description: string;
  /** A valid value, as text. */
  readonly example: string;
  readonly isOptional: boolean;
  /** True if null removes its value in a patch. */
  readonly isNullable: boolean;
  /** Length of its shortest text, in characters. */
  readonly minLength: number;
  /** Default value as text, if there is one. */
  readonly fallback: string | undefined;
  /** The values of an enum or of an array of them; empty for other fields. */
  readonly values: readonly string[];
  /** Labels that people read in place of some values, those of an enum or of true and false. */
  readonly labels: Readonly<Record<string, string>>;
  /** The record type whose ids an int64, or an array of them, holds (`pets`), if any. */
  readonly refersTo: string | undefined;
  /** True if its values identify a person. */
  readonly isPersonal: boolean;
}

/** Metadata that `@nestjs/swagger` keeps of a property: the facts of the DTO's decorators, including inherited fields. */
interface DocumentedProperty {
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly items?: DocumentedProperty;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly example?: unknown;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly minLength?: number;
  readonly 'x-refers-to'?: string;
  readonly [PERSONAL]?: boolean;
  readonly [ENUM_LABELS]?: Readonly<Record<string, string>>;
}

const NAMES_METADATA = 'swagger/apiModelPropertiesArray';
const PROPERTY_METADATA = 'swagger/apiModelProperties';

const known = new Map<Type, readonly RecordField[]>();

/** The fields of a DTO class in the order it declares them. */
export function fieldsOf(dto: Type): readonly RecordField[] {
  let fields = known.get(dto);
  if (!fields) known.set(dto, (fields = readFields(dto)));
  return fields;
}

/** The fields of a DTO class that need no value. */
export function optionalFields(dto: Type): RecordField[] {
  return fieldsOf(dto).filter(({ isOptional }) => isOptional);
}

/** The fields of a DTO class that hold an instant. */
export function timeFields(dto: Type): RecordField[] {
  return fieldsOf(dto).filter(({ kind }) => kind === 'date-time');
}

/** The names of the fields of a DTO class that identify a person. */
export function personalFields(dto: Type): string[] {
  return fieldsOf(dto)
    .filter(({ isPersonal }) => isPersonal)
    .map(({ name }) => name);
}

/** The field with a name; undefined if the DTO has no such field. */
export function fieldNamed(dto: Type, name: string): RecordField | undefined {
  return fieldsOf(dto).find((field) => field.name === name);
}

/** Returns the values that a field with few can have, as texts; empty for other fields. */
export function choicesOf({ values, labels }: RecordField): readonly string[] {
  return values.length > 0 ? values : Object.keys(labels);
}

/** Writes a name in words: `shipDate` becomes `Ship date`. */
export function inWords(name: string): string {
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function readFields(dto: Type): RecordField[] {
  const names = (Reflect.getMetadata(NAMES_METADATA, dto.prototype as object) as string[] | undefined) ?? [];
  return names
    .map((name) => name.slice(1))
    .map((name) =>
      fieldOf(name, Reflect.getMetadata(PROPERTY_METADATA, dto.prototype as object, name) as object),
    );
}

function fieldOf(name: string, property: DocumentedProperty): RecordField {
  const isArray = property.type === 'array' || property.isArray === true;
  const items = isArray ? property.items : undefined;
  const kind = isArray ? 'array' : kindOfSchema(property);
  return {
    name,
    label: inWords(name),
    kind,
    items: items && kindOfSchema(items),
    members: isArray ? membersOf(property) : undefined,
    description: property.description ?? '',
    example: textOf(property.example ?? ''),
    isOptional: property.required === false,
    isNullable: property.nullable === true,
    minLength: property.minLength ?? 0,
    fallback: property.default === undefined ? undefined : textOf(property.default),
    values: property.enum ?? items?.enum ?? [],
    labels: property[ENUM_LABELS] ?? controlOf(items ? kindOfSchema(items) : kind).choices ?? {},
    refersTo: (items ?? property)['x-refers-to']?.slice(1),
    isPersonal: property[PERSONAL] === true,
  };
}

/** @param property an array, whose type is the class of its objects, if they have one */
function membersOf({ type }: DocumentedProperty): readonly RecordField[] | undefined {
  return isClass(type) ? fieldsOf(type) : undefined;
}

function isClass(type: unknown): type is Type {
  return typeof type === 'function' && Reflect.hasMetadata(NAMES_METADATA, type.prototype as object);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : exactJson(value);
}
