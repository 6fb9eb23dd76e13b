import Ajv, { type ValidateFunction } from 'ajv';
import addFormats, { type FormatName } from 'ajv-formats';
import { parseDecimalInt64 } from '../../../src/platform/values/int64';
import { resolveSchema, type Schema, type ServedDocument } from '../../support/service/served-document';

/** `JSON.parse` with the text of each number, which TypeScript's library does not know yet. */
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** A number as it stands in the JSON text. */
class NumberText {
  constructor(readonly source: string) {}
}

/** The formats of the interface; one it does not know is a fault of the schema. */
const FORMATS: FormatName[] = ['int32', 'int64', 'double', 'date', 'date-time', 'uuid'];

/** Judges JSON texts by the schemas of a served document. */
export class SchemaCheck {
  private readonly ajv = addFormats(new Ajv({ strict: true, allErrors: true }), FORMATS);
  private readonly validators = new Map<Schema, ValidateFunction>();

  constructor(private readonly document: ServedDocument) {
    // A pattern judges it.
    this.ajv.addFormat('decimal', true);
    // Annotations of OpenAPI that judge nothing.
    this.ajv.addVocabulary(['example']);
  }

  /**
   * What is wrong with a JSON text: nothing, or a sentence for each fault. Members that are not documented are faults,
   * and an int64 is judged on its digits, because a double cannot tell those beyond 2^53 apart.
   */
  faults(text: string, schema: Schema): string[] {
    let validate = this.validators.get(schema);
    if (!validate) {
      validate = this.ajv.compile(this.toJsonSchema(schema) as object);
      this.validators.set(schema, validate);
    }
    validate(JSON.parse(text));
    const found = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    const numbers = parseWithSource(text, (_name, value, { source }) =>
      typeof value === 'number' ? new NumberText(source as string) : value,
    );
    return [...found, ...this.int64Faults(numbers, schema, '')];
  }

  /** OpenAPI 3.0 to JSON Schema: references put in place, `nullable` spelled out, objects closed. */
  private toJsonSchema(schema: Schema): unknown {
    const { nullable, properties, items, ...others } = resolveSchema(schema, this.document);
    const rest = Object.fromEntries(Object.entries(others).filter(([keyword]) => !keyword.startsWith('x-')));
    return {
      ...rest,
      ...(nullable && { type: [others.type, 'null'] }),
      ...(items && { items: this.toJsonSchema(items) }),
      ...(properties && {
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, this.toJsonSchema(property)]),
        ),
      }),
    };
  }

  private int64Faults(value: unknown, schema: Schema, path: string): string[] {
    const { format, items, properties = {} } = resolveSchema(schema, this.document);
    if (value instanceof NumberText) {
      return format === 'int64' && parseDecimalInt64(value.source) === undefined
        ? [`${path} is no int64: ${value.source}`]
        : [];
    }
    if (Array.isArray(value)) {
      return items ? value.flatMap((item, index) => this.int64Faults(item, items, `${path}/${index}`)) : [];
    }
    return Object.entries(value ?? {}).flatMap(([name, member]) => {
      const property = properties[name];
      return property ? this.int64Faults(member, property, `${path}/${name}`) : [];
    });
  }
}
