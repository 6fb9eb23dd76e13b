import type { Type } from '@nestjs/common';
import { ENUM_LABELS } from '../../platform/validation/fields';

/** What a field holds; as the OpenAPI document has it (`int64`, `date-time`), and `text` for strings without a format. */
export type FieldKind =
  'text' | 'integer' | 'int64' | 'number' | 'decimal' | 'boolean' | 'date' | 'date-time' | 'uuid' | 'enum';

/** One field of a record, as its DTO declares and documents it. */
export interface RecordField {
  readonly name: string;
  /** Its name in words: `Category id`. */
  readonly label: string;
  readonly kind: FieldKind;
  /** As the document has it, in Markdown. */
  readonly description: string;
  /** A valid value, as text. */
  readonly example: string;
  readonly isOptional: boolean;
  /** What stands for it where it is left out, as text; undefined where nothing does. */
  readonly fallback: string | undefined;
  /** The values of an enum; empty of others. */
  readonly values: readonly string[];
  /** What people read in place of some of them. */
  readonly labels: Readonly<Record<string, string>>;
  /** The records an int64 is the id of (`pets`); undefined when it is none. */
  readonly refersTo: string | undefined;
}

/** What `@nestjs/swagger` keeps of a property: the facts of the DTO's decorators, those of inherited fields among them. */
interface DocumentedProperty {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly example?: string | number | boolean;
  readonly required?: boolean;
  readonly default?: string | number | boolean;
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
  return {
    name,
    label: inWords(name),
    kind: kindOf(property),
    description: property.description ?? '',
    example: String(property.example ?? ''),
    isOptional: property.required === false,
    fallback: property.default === undefined ? undefined : String(property.default),
    values: property.enum ?? [],
    labels: property[ENUM_LABELS] ?? {},
    refersTo: property['x-refers-to']?.slice(1),
  };
}

function kindOf({ type, format, enum: values }: DocumentedProperty): FieldKind {
  if (values) return 'enum';
  const named = FORMATS.find((each) => each === format);
  if (named) return named;
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'text';
}
