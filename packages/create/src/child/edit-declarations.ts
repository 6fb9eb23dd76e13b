import ts from 'typescript';
import { addProperty, classIn, classesOf, decoratorName, decoratorsOf, propertyIn } from '../edit/classes.ts';
import type { FileEdit } from '../edit/file-edit.ts';
import { importsUsedBy } from '../edit/imports.ts';
import { memberIn } from '../edit/literals.ts';
import { partOf } from '../module/existing-module.ts';
import { nodesOf, parse } from '../text/sources.ts';
import { capitalized } from '../text/spelling.ts';
import type { Child } from './child.ts';

/** Imports the module of the parent, whose service is asked whether the parent exists. */
export function editModule(edit: FileEdit, { names, parent }: Child): void {
  const name = `${parent.plural.pascal}Module`;
  const node = classIn(edit.source, `${names.plural.pascal}Module`) as ts.ClassDeclaration;
  const module = decoratorsOf(node).find((each) => decoratorName(each) === 'Module') as ts.Decorator;
  const options = nodesOf(module).find((each) =>
    ts.isObjectLiteralExpression(each),
  ) as ts.ObjectLiteralExpression;
  edit.insert(options.properties.pos, `\nimports: [${name}],`);
  edit.import({ name, from: partOf(parent, 'module'), isType: false });
}

/** Makes operators name the parent of a new one. */
export function editAdmin(edit: FileEdit, { creation }: Child): void {
  const [literal] = nodesOf(edit.source).filter((node) => ts.isObjectLiteralExpression(node));
  const member = literal && memberIn(literal, 'creation');
  const known = member && ts.isPropertyAssignment(member) ? member.initializer.getText() : '';
  for (const node of nodesOf(edit.source)) {
    if (ts.isIdentifier(node) && node.text === known) edit.replace(node, creation.name);
    if (ts.isImportDeclaration(node) && node.getText().includes(` ${known} `)) {
      edit.replace(node.moduleSpecifier, `'./dto/${creation.file}'`);
    }
  }
}

/** Adds the parent's id to each item. */
export function editIdentity(
  edit: FileEdit,
  { names, parent }: Child,
  withParent: ReadonlyMap<string, string>,
): void {
  const path = `src/${names.plural.kebab}/dto/new-${names.singular.kebab}.dto.ts`;
  const source = parse(path, withParent.get(path) ?? '');
  const property = classesOf(source).flatMap((node) => propertyIn(node, parent.idParameter) ?? [])[0];
  const identity = classIn(edit.source, `${names.singular.pascal}Identity`);
  if (!property || !identity)
    throw new Error(`The templates do not generate ${parent.idParameter} in ${path}.`);
  addProperty(edit, identity, property.getText());
  edit.import(...importsUsedBy(property, source));
}

/** The class of the body that operators add. */
export function creationOfOperators({ names, parent, creation }: Child): string {
  const { singular, withArticle } = names;
  const of = `${parent.singular.pascal}Of${singular.pascal}`;
  return `import { ReferenceField } from '@petstore/platform';
import { ApiSchema, IntersectionType } from '@nestjs/swagger';
import { New${singular.pascal}Dto } from './new-${singular.kebab}.dto';

class ${of} {
  @ReferenceField('/${parent.plural.kebab}', { description: 'The \`id\` of the ${parent.singular.words}.', example: 1 })
  ${parent.idParameter}!: bigint;
}

/** ${capitalized(withArticle)} to add and the ${parent.singular.words} it is of. */
@ApiSchema({ name: '${creation.name.replace(/Dto$/, '')}', description: '${capitalized(withArticle)} of a ${parent.singular.words} to add.' })
export class ${creation.name} extends IntersectionType(${of}, New${singular.pascal}Dto) {}
`;
}
