import type { DecimalDigits } from '../decimal';

/** Rule for the values of one field: a kind with the field's own limits. */
export interface ValueRule {
  /** Schema in the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Converts a value of a body into that of the DTO. */
  readonly read?: (value: unknown, body: object) => unknown;
  /** Judges a value of the DTO. */
  readonly isValid: (value: unknown) => boolean;
  /** Predicate of the refusal of an invalid value: `must be true or false`. */
  readonly sentence: string;
  /** The same for a text in an address, unless it is the same. */
  readonly textSentence?: string;
  /** The same in plainer words for people, unless it is the same. */
  readonly plainSentence?: string;
  /** Limits that no schema can say, for the description: `from 0.50 to 9.99`. */
  readonly limits?: string;
}

/** Column of an entity that stores a kind. */
export interface KindColumn {
  /** Word of the type in migrations. */
  readonly word: string;
  /** Type in TypeORM. */
  readonly type: string | DateConstructor;
  /** The type's name in SQLite. */
  readonly sqlite: string;
  /** The type's name in PostgreSQL. */
  readonly postgres: string;
  /** Converts a value of the driver into that of the entity. */
  readonly fromDatabase?: (value: never, digits: DecimalDigits) => unknown;
  /** True if SQLite returns values in another form than the entity has: with exact integers, every integer is a bigint. */
  readonly isConvertedOnSqlite?: boolean;
  /** Types that a value is cast to in comparisons, by engine: it is bound as a text. */
  readonly comparedAs?: { readonly sqlite: string; readonly postgres: string };
}

/** Control of a kind in a form; unless it says more, a line of text. */
export interface KindControl {
  /** Type of the input, or `select`. */
  readonly type?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Labels of the values there are, for a kind with few. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Brings a text as browsers send it into the only spelling of its value; unset, spaces around it go. */
  readonly canonical?: (typed: string) => string;
  /** Writes the text of a value as the control needs it. */
  readonly show?: (text: string) => string;
  /** A sentence that helps to fill it in. */
  readonly help?: string;
  /** True if an example helps to fill it in. */
  readonly showsExample?: boolean;
}

/** Everything that differs between the kinds of values, such as int64 or date. */
export interface Kind<Options> {
  /** Returns the rule for values with limits. */
  readonly rule: (options: Options) => ValueRule;
  /** Reads the value of a text in an address or in a cursor; returns undefined for an invalid text. */
  readonly fromText: (text: string, options: Options) => unknown;
  /** Returns what a JSON body has for a text that a person wrote; unset, the text itself. The rule judges it. */
  readonly toJson?: (text: string) => unknown;
  /** Unset for a kind that the column of another stores. */
  readonly column?: KindColumn;
  readonly control?: KindControl;
  /** True for amounts, which tables align to the right. */
  readonly isAmount?: boolean;
  /** True for days and times, of which one is earlier than another, not less. */
  readonly isTime?: boolean;
}
