import type { CodedField } from './field-code.ts';
import type { FeatureModel } from './templates.ts';

/** What the template of a feature's tests needs to know besides. */
export interface SpecCode {
  /** The members of the body of a creation. */
  readonly creation: string;
  /** The expression of that body. */
  readonly sent: string;
  /** Members that a response has besides those of the body, each with a comma behind it. */
  readonly fixed: string;
  /** The same where the body has nothing that can be left out. */
  readonly defaults: string;
  /** What the body of a creation may lack. */
  readonly leftOut: readonly CodedField[];
  /** Those of unique values in the body of a creation. */
  readonly newUniques: readonly CodedField[];
  /** How many values of each the tests need. */
  readonly needed: number;
  /** Those of unique values, for each of which there is a list of values. */
  readonly distinct: readonly CodedField[];
  /** What no client can change. */
  readonly closed: readonly CodedField[];
  /** What a patch can remove. */
  readonly removables: readonly CodedField[];
}

export function specCode(fields: readonly CodedField[], { singular, operations }: FeatureModel): SpecCode {
  const created = fields.filter(({ isCreated, reference }) => isCreated && !reference?.isOwn);
  const newUniques = created.filter(({ options }) => options.unique);
  const defaulted = fields.filter(({ testDefault }) => testDefault !== undefined);
  return {
    creation: membersOf(created, (field) =>
      isDistinct(field) ? `unused.${field.name}.pop()` : field.testValues[0],
    ),
    sent: newUniques.length > 0 ? 'added' : `new${singular.pascal}`,
    fixed: withComma(
      membersOf(
        defaulted.filter(({ isCreated }) => !isCreated),
        defaultOf,
      ),
    ),
    defaults: withComma(membersOf(defaulted, defaultOf)),
    newUniques,
    needed: 3 + 2 * newUniques.length + created.filter(({ reference }) => reference).length,
    leftOut: fields.filter(({ isCreated, mayBeLeftOut }) => isCreated && mayBeLeftOut),
    distinct: fields.filter(
      (field) =>
        isDistinct(field) &&
        ((operations.create && field.isCreated) || (operations.update && field.isPatched)),
    ),
    closed: fields.filter(({ isPatched }) => !isPatched),
    removables: fields.filter(({ isPatched, optional }) => isPatched && optional),
  };
}

function isDistinct({ distinctValues }: CodedField): boolean {
  return distinctValues.length > 0;
}

function defaultOf(field: CodedField): string {
  return field.testDefault as string;
}

function membersOf(fields: readonly CodedField[], valueOf: (field: CodedField) => string): string {
  return fields.map((field) => `${field.name}: ${valueOf(field)}`).join(', ');
}

function withComma(members: string): string {
  return members === '' ? '' : `${members}, `;
}
