import ts from 'typescript';
import { decoratorName, decoratorsOf, propertyIn } from '../edit/classes.ts';
import { memberIn } from '../edit/literals.ts';
import type { FieldAccess } from '../feature/field-options.ts';
import { FIELD_TYPES, type FieldType } from '../feature/field-types.ts';
import { Refusal } from '../refusal.ts';
import { nodesOf, textIn } from '../text/sources.ts';
import { classOf, type Declared, type ExistingModule, storedMembers } from './existing-module.ts';

/** A field of an existing module, as its DTO describes it. */
export interface PresentField {
  readonly name: string;
  readonly column: string;
  readonly type: FieldType;
  readonly isArray: boolean;
  readonly access: FieldAccess;
  /** Its property in the DTO. */
  readonly property: Declared<ts.PropertyDeclaration>;
  /** Options of the property's decorator. */
  readonly options: ts.ObjectLiteralExpression;
  /** Description of the field as the command line takes it, with its limits, its default, and whether it is personal. */
  readonly text: string;
  /** Its example, that of an array in JSON. */
  readonly example: string | undefined;
}

/** Options of a DTO's decorator by those of the command line. */
const LIMITS = {
  min: ['minLength', 'minimum'],
  max: ['maxLength', 'maximum'],
  pattern: ['pattern'],
  'min-items': ['minItems'],
  'max-items': ['maxItems'],
  default: ['default'],
} as const;

/**
 * Reads a field of a module.
 *
 * @throws Refusal when there is none of that name, or its DTO has another shape than generated ones
 */
export function readPresentField(module: ExistingModule, name: string): PresentField {
  const { plural, singular, entity } = module;
  const members = storedMembers(module);
  const member = members.find((each) => each.name === name);
  if (!member) {
    const owned = propertyIn(entity.node, name);
    if (owned && name !== 'id') {
      throw new Refusal(
        `The field ${name} of ${plural.kebab} is no column of its own: change it by hand (docs/schema-changes.md).`,
      );
    }
    const names = members.map((each) => each.name).filter((each) => each !== 'createdAt');
    throw new Refusal(`${plural.kebab} have no field ${name}: their fields are ${names.join(', ')}.`);
  }
  const dtos = [`New${singular.pascal}Dto`, `${singular.pascal}Dto`];
  for (const dto of dtos) {
    const target = classOf(module, dto);
    const node = target && propertyIn(target.node, name);
    if (!target || !node) continue;
    const described = describe(module, node);
    if (!described) break;
    const { type, options, subject } = described;
    const isArray = memberIn(options, 'isArray') !== undefined;
    const given = [...subject, ...detailsOf(module, options)].join(',');
    return {
      name,
      column: member.column,
      type,
      isArray,
      access: dto === dtos[1] ? 'read-only' : isLeftOutOfPatch(module, name) ? 'create-only' : 'open',
      property: { ...target, node },
      options,
      example: literalText(module, valueOf(options, 'example')),
      text: `${name}:${type}${given === '' ? '' : `(${given})`}${isArray ? '[]' : ''}${memberIn(options, 'optional') ? '?' : ''}`,
    };
  }
  throw new Refusal(
    `The field ${name} is not in ${dtos.join(' or ')} of ${module.folder} as the generator writes one: change it by hand (docs/schema-changes.md).`,
  );
}

/** The type of a property and the options of its decorator; undefined if no generated decorator has this shape. */
function describe(module: ExistingModule, node: ts.PropertyDeclaration) {
  for (const decorator of decoratorsOf(node)) {
    const types = Object.entries(FIELD_TYPES).map(([type, { field }]) => [type as FieldType, field] as const);
    const type = types.find(([, field]) => field === decoratorName(decorator))?.[0];
    if (type === undefined || !ts.isCallExpression(decorator.expression)) continue;
    const given = [...decorator.expression.arguments];
    const options = given.at(-1);
    const [first] = given;
    if (!options || !first || !ts.isObjectLiteralExpression(options)) continue;
    return { type, options, subject: subjectOf(module, type, first) };
  }
  return undefined;
}

/** The first words between the parentheses of a type: the digits of a decimal, the feature of a ref, the values of an enum. */
function subjectOf(module: ExistingModule, type: FieldType, first: ts.Expression): string[] {
  if (type === 'ref') return [(textIn(first, '') ?? '').replace(/^\//, '')];
  if (type === 'enum') return [enumValues(module, first.getText()).join('|')];
  if (type !== 'decimal' || !ts.isObjectLiteralExpression(first)) return [];
  return ['precision', 'scale'].flatMap((digits) => literalText(module, valueOf(first, digits)) ?? []);
}

/** The values of an enum that the module declares, each with a label if it needs one. */
function enumValues({ sources }: ExistingModule, name: string): string[] {
  const declared = sources
    .flatMap((source) => nodesOf(source))
    .filter((node) => ts.isEnumDeclaration(node))
    .find((node) => node.name.text === name);
  return (declared?.members ?? []).flatMap(({ name: member, initializer }) => {
    const value = textIn(initializer, '');
    if (value === undefined) return [];
    return [/^[A-Za-z][\w-]*$/.test(value) ? value : `${member.getText()}=${value}`];
  });
}

function detailsOf(module: ExistingModule, options: ts.ObjectLiteralExpression): string[] {
  const limits = Object.entries(LIMITS).flatMap(([option, names]) => {
    const value = names.map((name) => valueOf(options, name)).find((each) => each !== undefined);
    const text = literalText(module, value);
    return text === undefined ? [] : [`${option}='${text.replaceAll("'", "''")}'`];
  });
  const isPersonal = valueOf(options, 'isPersonal')?.kind === ts.SyntaxKind.TrueKeyword;
  return isPersonal ? [...limits, 'personal'] : limits;
}

function isLeftOutOfPatch(module: ExistingModule, name: string): boolean {
  const patch = classOf(module, `${module.singular.pascal}PatchDto`)?.node.getText() ?? '';
  return patch.includes(`'${name}'`);
}

function valueOf(literal: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const member = memberIn(literal, name);
  return member && ts.isPropertyAssignment(member) ? member.initializer : undefined;
}

/** The value of a literal as the command line takes it: that of an array in JSON. */
function literalText(module: ExistingModule, value: ts.Expression | undefined): string | undefined {
  if (!value) return undefined;
  if (ts.isStringLiteralLike(value)) return value.text;
  if (ts.isPropertyAccessExpression(value)) return enumValue(module, value);
  if (!ts.isArrayLiteralExpression(value)) return value.getText().replaceAll('_', '').replace(/n$/, '');
  const items = value.elements.map((each) => {
    const text = literalText(module, each) ?? '';
    return ts.isStringLiteralLike(each) || ts.isPropertyAccessExpression(each) ? JSON.stringify(text) : text;
  });
  return `[${items.join()}]`;
}

function enumValue({ sources }: ExistingModule, { expression, name }: ts.PropertyAccessExpression) {
  return sources
    .flatMap((source) => nodesOf(source))
    .filter((node) => ts.isEnumDeclaration(node) && node.name.text === expression.getText())
    .flatMap((node) => [...(node as ts.EnumDeclaration).members])
    .filter((member) => member.name.getText() === name.text)
    .flatMap(({ initializer }) => textIn(initializer, '') ?? [])[0];
}
