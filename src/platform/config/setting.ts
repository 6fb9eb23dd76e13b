/** Result of reading a value. `fault` completes a sentence that begins with the setting's name. */
export type Parsed<T> = { readonly value: T } | { readonly fault: string };

/** A kind of value: what it accepts, in words and in code. */
export interface Kind<T> {
  /** A noun phrase with its article, such as "an integer from 0 to 65535". Stands in faults and in the docs. */
  readonly allowed: string;
  /** Reads a text. A fault never repeats the text: the operator may have pasted a secret into the wrong line. */
  parse(text: string): Parsed<T>;
  /** Hides the secret part of a valid text. A secret setting of a kind without it is hidden whole. */
  redact?(text: string): string;
}

/** One setting, of the service or of a module. Its name in the environment is its key in the declaration. */
export interface Setting<T = unknown> {
  readonly kind: Kind<T>;
  /** Value as written in the environment. Without a default, the typed value may be undefined. */
  readonly default?: string;
  /** One or two sentences for operators. */
  readonly description: string;
  /** Marks a value that is redacted wherever settings are printed. */
  readonly secret?: true;
  readonly example?: string;
}

/** Settings by their names in the environment: words in upper case, joined by underscores. */
export type SettingsDeclaration = Readonly<Record<string, Setting>>;

/** Settings that a feature declares. */
export interface FeatureSettings {
  /** The module that declares them. */
  readonly owner: string;
  readonly settings: SettingsDeclaration;
}

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

type ValueOf<S extends Setting> =
  S extends Setting<infer T> ? (S extends { readonly default: string } ? T : T | undefined) : never;

/** Typed values of declared settings: `DATABASE_URL` becomes the member `databaseUrl`. */
export type InferSettings<D extends SettingsDeclaration> = {
  readonly [Name in keyof D & string as CamelCase<Name>]: ValueOf<D[Name]>;
};

/** Returns the member of the typed result that holds a setting: `DATABASE_URL` gives `databaseUrl`. */
export function memberName(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the variables that a setting is read from. */
export function variablesOf(name: string, isSecret: true | undefined): string[] {
  return isSecret ? [name, `${name}_FILE`] : [name];
}

/** Returns the fault of a value that `kind` does not allow; `detail` tells where in the value to look. */
export function mustBe(kind: { readonly allowed: string }, detail?: string): { readonly fault: string } {
  return { fault: detail === undefined ? `must be ${kind.allowed}` : `must be ${kind.allowed}: ${detail}` };
}
