import type { CodedField } from './field-code.ts';
import { boundsOf } from './list-parameters.ts';

/** A parameter of the query of a list. */
export interface ListParameter {
  readonly name: string;
  readonly decorator: string;
  /** Arguments of the decorator. */
  readonly arguments: string;
  /** Type in the class. */
  readonly typescript: string;
}

/** Query of a feature's list, as templates need it. */
export interface ListCode {
  readonly parameters: readonly ListParameter[];
  /** Fields it can be sorted by. */
  readonly sorts: readonly string[];
  /** Fields with an index on (column, id), and fields with one on the beginning of a text. */
  readonly indexed: readonly CodedField[];
  readonly indexedTexts: readonly CodedField[];
  /** True if it takes more than values of fields: then the repository reads the query. */
  readonly isAsked: boolean;
}

/**
 * Works out the code of a feature's list.
 *
 * @param many the plural in a sentence
 */
export function listCode(fields: readonly CodedField[], many: string, isServed: boolean): ListCode {
  const sorts = fields.filter(({ options }) => options.sort).map(({ name }) => name);
  const isAsked = fields.some(({ options: { range, prefix, set, sort } }) => range || prefix || set || sort);
  const indexed = fields.filter(
    ({ isFilter, options: { range, prefix, set, sort } }) => isFilter || range || prefix || set || sort,
  );
  const sort = {
    name: 'sort',
    decorator: 'SortParameter',
    arguments: sorts.map((name) => `'${name}'`).join(', '),
    typescript: 'string',
  };
  return {
    parameters: [
      ...fields.flatMap((field) => parametersOf(field, many)),
      ...(sorts.length > 0 ? [sort] : []),
    ],
    sorts,
    indexed: indexed.filter(({ type }) => type !== 'string'),
    indexedTexts: indexed.filter(({ type }) => type === 'string'),
    isAsked: isAsked && isServed,
  };
}

function parametersOf(field: CodedField, many: string): ListParameter[] {
  const { name, type, code, isFilter, options, digits, enum: own } = field;
  const decorator = code.parameter ?? code.askedParameter ?? '';
  const first = own ? `${own.name}, '${own.name}', ` : digits ? `${field.digitsArgument}, ` : '';
  const parameter = (parameterName: string, keeps: string, more = ''): ListParameter => ({
    name: parameterName,
    decorator,
    arguments: `${first}{ description: 'Keeps only ${many} ${keeps}.'${more} }`,
    typescript: code.typescript,
  });
  const words = type === 'enum' ? field.words : name;
  const { isTime } = code;
  const keeps = {
    from: `is this or ${isTime ? 'later' : 'more'}`,
    to: `is this or ${isTime ? 'earlier' : 'less'}`,
    before: 'is before this',
  };
  const several = parameter(
    name,
    `with this ${words}, or with one of several when it is repeated`,
    ', isArray: true',
  );
  return [
    ...(options.set ? [{ ...several, typescript: `${code.typescript}[]` }] : []),
    ...(isFilter && !options.set ? [parameter(name, `with this ${words}`)] : []),
    ...(options.range
      ? boundsOf(field).map(([bound, called]) =>
          parameter(called, `whose ${name} ${keeps[bound]}`, `, ${bound}: '${name}'`),
        )
      : []),
    ...(options.prefix
      ? [parameter(`${name}Prefix`, `whose ${name} begins with this`, `, prefix: '${name}'`)]
      : []),
  ];
}
