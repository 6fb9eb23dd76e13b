import ts from 'typescript';
import { classIn, decoratorName, decoratorsOf } from '../edit/classes.ts';
import type { FileEdit } from '../edit/file-edit.ts';
import { callsOf } from '../edit/literals.ts';
import { partOf } from '../module/existing-module.ts';
import type { Child } from './child.ts';

/** Puts the routes of a child below those of its parent; each handler takes the parent's id from the path. */
export function editController(edit: FileEdit, { names, parent }: Child): void {
  const { plural } = names;
  const id = parent.idParameter;
  const missing = `${parent.singular.pascal}NotFoundError`;
  const controller = classIn(edit.source, `${plural.pascal}Controller`) as ts.ClassDeclaration;
  edit.import({ name: missing, from: partOf(parent, 'errors'), isType: false });
  const path = decoratorsOf(controller).find((each) => decoratorName(each) === 'Controller') as ts.Decorator;
  edit.replace(path, `@Controller('${parent.plural.kebab}/:${id}/${plural.kebab}')`);
  for (const handler of controller.members.filter((member) => ts.isMethodDeclaration(member))) {
    const decorators = decoratorsOf(handler);
    const last = decorators.at(-1) as ts.Decorator;
    edit.insert(last.end, `\n@ErrorResponse(${missing}, 'No ${parent.singular.words} has this identifier.')`);
    const parameter = `@Int64Param('${id}', ${missing}, 'Identifier of the ${parent.singular.words}.') ${id}: bigint`;
    edit.insert((handler.parameters[0] as ts.ParameterDeclaration).getStart(), `${parameter}, `);
    handOver(edit, handler, id);
  }
}

function handOver(edit: FileEdit, handler: ts.MethodDeclaration, id: string): void {
  for (const [name, given] of [
    ['list', (words: string[]) => [id, ...words]],
    ['create', (words: string[]) => [`Object.assign({ ${id} }, ${words.join()})`]],
    ['get', (words: string[]) => [...words, id]],
    ['update', (words: string[]) => [...words, id]],
    ['delete', (words: string[]) => [...words, ...(words.length < 2 ? ['undefined'] : []), id]],
  ] as const) {
    for (const call of callsOf(handler, name)) {
      const words = given(call.arguments.map((argument) => argument.getText()));
      edit.replace(call, `${call.expression.getText()}(${words.join(', ')})`);
    }
  }
}
