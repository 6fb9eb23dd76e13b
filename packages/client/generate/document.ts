/** A schema of OpenAPI 3.0, with the members that types depend on. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly deprecated?: boolean;
}

type Content = Readonly<
  Record<string, { readonly schema?: Schema; readonly examples?: object; readonly example?: unknown }>
>;

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

/** A response of an operation. */
export interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

/** An operation of a path. */
export interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

/** An OpenAPI 3.0 document as the service writes it: parameters and responses are not references. */
export interface ApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The name of the schema that a reference leads to. */
export function nameOf(reference: string): string {
  const name = /^#\/components\/schemas\/([A-Za-z_$][\w$]*)$/.exec(reference)?.[1];
  if (name === undefined) throw new Error(`No type can be named after the reference ${reference}.`);
  return name;
}

/** A schema itself, or the one it refers to. */
export function resolve(schema: Schema, { components }: ApiDocument): Schema {
  if (schema.$ref === undefined) return schema;
  const found = components.schemas[nameOf(schema.$ref)];
  if (!found) throw new Error(`The reference ${schema.$ref} leads nowhere.`);
  return resolve(found, { components } as ApiDocument);
}
