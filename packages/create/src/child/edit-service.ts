import ts from 'typescript';
import { classIn, methodIn } from '../edit/classes.ts';
import type { FileEdit } from '../edit/file-edit.ts';
import { callsOf, literalsOf, memberIn } from '../edit/literals.ts';
import { partOf } from '../module/existing-module.ts';
import { nodesOf } from '../text/sources.ts';
import type { Child } from './child.ts';

/** Makes the service of a child check its parent: a missing parent has no children. */
export function editService(edit: FileEdit, { names, parent, creation }: Child): void {
  const { singular, plural } = names;
  const id = parent.idParameter;
  const parents = parent.plural.camel;
  const service = classIn(edit.source, `${plural.pascal}Service`) as ts.ClassDeclaration;
  edit.import(
    { name: `${parent.plural.pascal}Service`, from: partOf(parent, 'service'), isType: false },
    { name: creation.name, from: `./dto/${creation.file}`, isType: true },
  );
  for (const node of nodesOf(edit.source).filter((each) => ts.isImportDeclaration(each))) {
    if (node.getText().includes(`New${singular.pascal}Dto`)) edit.remove(node);
  }
  const constructor = service.members.find((member) => ts.isConstructorDeclaration(member));
  const last = constructor?.parameters.at(-1) as ts.ParameterDeclaration;
  edit.insert(last.end, `,\nprivate readonly ${parents}: ${parent.plural.pascal}Service`);

  for (const method of service.members.filter((member) => ts.isMethodDeclaration(member))) {
    for (const each of ts.getJSDocTags(method)) {
      const text = ts.getTextOfJSDocComment(each.comment) ?? '';
      const others = `${text.includes(' or ') ? ', ' : ' or '}${text}`;
      edit.replace(each, `@throws ${parent.singular.pascal}NotFoundError${others} `);
    }
  }

  const list = methodIn(service, 'list');
  if (list) {
    edit.insert((list.parameters[0] as ts.ParameterDeclaration).getStart(), `${id}: bigint, `);
    edit.insert(startOf(list.body), `\nawait this.${parents}.get(${id});`);
    for (const literal of callsOf(list, 'findPage').flatMap((call) => literalsOf(call.arguments[1]))) {
      const member = memberIn(literal, id);
      if (member) edit.replace(member, id);
    }
  }
  const create = methodIn(service, 'create') as ts.MethodDeclaration;
  edit.replace((create.parameters[0] as ts.ParameterDeclaration).type as ts.TypeNode, creation.name);
  edit.insert(startOf(workOf(create)), `\nawait this.${parents}.get(${singular.camel}.${id});`);
  for (const path of nodesOf(create).filter((node) => ts.isTemplateExpression(node))) {
    edit.replace(path, `\`/${parent.plural.kebab}/\${created.${id}}/${plural.kebab}/\${created.id}\``);
  }
  for (const name of ['get', 'update', 'delete']) {
    const method = methodIn(service, name);
    if (!method) continue;
    edit.insert((method.parameters.at(-1) as ts.ParameterDeclaration).end, `, ${id}?: bigint`);
    edit.insert(startOf(workOf(method)), `\nif (${id} !== undefined) await this.${parents}.get(${id});`);
    const [check] = nodesOf(method).filter((node) => ts.isIfStatement(node));
    if (check)
      edit.replace(
        check.expression,
        `!${singular.camel} || (${id} ?? ${singular.camel}.${id}) !== ${singular.camel}.${id}`,
      );
  }
}

/** The block in which a method does its work: that of its transaction, if it has one. */
function workOf(method: ts.MethodDeclaration): ts.Block | undefined {
  const work = nodesOf(method).find((node) => ts.isArrowFunction(node) && ts.isBlock(node.body));
  return work ? ((work as ts.ArrowFunction).body as ts.Block) : method.body;
}

/** Position after the brace of a block. */
function startOf(block: ts.Block | undefined): number {
  return (block as ts.Block).getStart() + 1;
}
