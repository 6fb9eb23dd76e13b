import type { CodedField } from './field-code.ts';
import type { FeatureCode } from './feature-code.ts';
import type { FeatureModel } from './model.ts';

/** Values that the template of a feature's tests needs besides. */
export interface SpecCode {
  /** Members of the body of a creation. */
  readonly creation: string;
  /** Expression of that body. */
  readonly sent: string;
  /** Members that a response has besides those of the body, each with a comma after it. */
  readonly fixed: string;
  /** The same for a body that lacks everything it may lack. */
  readonly defaults: string;
  /** Names of the members that the body of a creation may lack. */
  readonly leftOut: readonly string[];
  /** Fields with unique values in the body of a creation. */
  readonly newUniques: readonly CodedField[];
  /**
   * Fields whose values the tests of every module cannot make up: unique ones and, if no client can create a record, those with
   * limits.
   */
  readonly sampled: readonly CodedField[];
  /** Fields that no client can change. */
  readonly closed: readonly CodedField[];
  /** Fields that a patch can remove. */
  readonly removables: readonly CodedField[];
}

export function specCode(
  { fields, owned }: Pick<FeatureCode, 'fields' | 'owned'>,
  { singular, operations }: FeatureModel,
): SpecCode {
  const created = fields.filter(({ isCreated, reference }) => isCreated && !reference?.isOwn);
  const newUniques = created.filter(({ options }) => options.unique);
  const defaulted = fields.filter(({ testDefault }) => testDefault !== undefined);
  const optionalOwned = owned.filter(({ optional }) => optional).map(({ name }) => name);
  return {
    creation: [...created.filter(({ options }) => !options.unique), ...owned]
      .map(({ name, testValues }) => `${name}: ${testValues[0]}`)
      .join(', '),
    sent: newUniques.length > 0 ? 'added' : `new${singular.pascal}`,
    fixed: withComma(
      membersOf(
        defaulted.filter(({ isCreated }) => !isCreated),
        defaultOf,
      ),
    ),
    defaults:
      withComma(membersOf(defaulted, defaultOf)) + optionalOwned.map((name) => `${name}: [], `).join(''),
    newUniques,
    leftOut: [
      ...fields.filter(({ isCreated, mayBeLeftOut }) => isCreated && mayBeLeftOut).map(({ name }) => name),
      ...optionalOwned,
    ],
    sampled: operations.create
      ? newUniques
      : fields.filter(
          ({ uniqueValue, check, isArray, enum: own }) =>
            uniqueValue !== undefined || isArray || (check !== '' && !own),
        ),
    closed: fields.filter(({ isPatched }) => !isPatched),
    removables: fields.filter(({ isPatched, optional }) => isPatched && optional),
  };
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
