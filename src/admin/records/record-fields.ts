import type { Type } from '@nestjs/common';
import { ENUM_LABELS } from '../../platform/validation/fields';
import { exactJson } from '../../platform/values/exact-json';

/** What a value is; as the OpenAPI document has it (`int64`, `date-time`), and `text` for strings without a format. */
export type ValueKind =
  'text' | 'integer' | 'int64' | 'number' | 'decimal' | 'boolean' | 'date' | 'date-time' | 'uuid' | 'enum';

/** What a field holds: a value, or an array of values. As a text, an array is JSON. */
export type FieldKind = ValueKind | 'array';

/** One field of a record, as its DTO declares and documents it. */
export interface RecordField {
  readonly name: string;
  /** Its name in words: `Category id`. */
  readonly label: string;
  readonly kind: FieldKind;
  /** What the items of an array of values are; undefined of others. */
  readonly items: ValueKind | undefined;
  /** What the objects of an array of objects have; undefined of other fields. */
  readonly members: readonly RecordField[] | undefined;
  /** As the document has it, in Markdown. */
  readonly description: string;
  /** A valid value, as text. */
  readonly example: string;
  readonly isOptional: boolean;
  /** Whether null removes its value, in a patch. */
  readonly isNullable: boolean;
  /** Length of its shortest text, in characters. */
  readonly minLength: number;
  /** What stands for it where it is left out, as text; undefined where nothing does. */
  readonly fallback: string | undefined;
  /** The values of an enum or of an array of them; empty of others. */
  readonly values: readonly string[];
  /** What people read in place of some of them. */
  readonly labels: Readonly<Record<string, string>>;
  /** The records an int64 is the id of (`pets`); undefined when it is none. */
  readonly refersTo: string | undefined;
}

/** What `@nestjs/swagger` keeps of a property: the facts of the DTO's decorators, those of inherited fields among them. */
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
  readonly [ENUM_LABELS]?: Readonly<Record<string, string>>;
}

/** The formats that say what a field holds. */
const FORMATS = ['int64', 'decimal', 'date', 'date-time', 'uuid'] as const;

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

/** The field of a name; undefined when the DTO has none. */
export function fieldNamed(dto: Type, name: string): RecordField | undefined {
  return fieldsOf(dto).find((field) => field.name === name);
}

/** A name in words: `shipDate` becomes `Ship date`. */
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
  return {
    name,
    label: inWords(name),
    kind: isArray ? 'array' : kindOf(property),
    items: items && kindOf(items),
    members: isArray ? membersOf(property) : undefined,
    description: property.description ?? '',
    example: textOf(property.example ?? ''),
    isOptional: property.required === false,
    isNullable: property.nullable === true,
    minLength: property.minLength ?? 0,
    fallback: property.default === undefined ? undefined : textOf(property.default),
    values: property.enum ?? items?.enum ?? [],
    labels: property[ENUM_LABELS] ?? {},
    refersTo: property['x-refers-to']?.slice(1),
  };
}

/** @param property an array, whose type is the class of its objects, if it has any */
function membersOf({ type }: DocumentedProperty): readonly RecordField[] | undefined {
  return isClass(type) ? fieldsOf(type) : undefined;
}

function isClass(type: unknown): type is Type {
  return typeof type === 'function' && Reflect.hasMetadata(NAMES_METADATA, type.prototype as object);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : exactJson(value);
}

function kindOf({ type, format, enum: values }: DocumentedProperty): ValueKind {
  if (values) return 'enum';
  const named = FORMATS.find((each) => each === format);
  if (named) return named;
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'text';
}
