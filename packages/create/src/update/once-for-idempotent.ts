import ts from 'typescript';
import { classesOf, decoratorName, decoratorsOf } from '../edit/classes.ts';
import { FileEdit } from '../edit/file-edit.ts';

/** Replaces `@Idempotent()`, which made all of a handler's work idempotent, by `@Once()`. */
export function onceForIdempotent(path: string, text: string): string {
  if (!text.includes('@Idempotent(')) return text;
  const edit = new FileEdit(path, text);
  const methods = classesOf(edit.source).flatMap(({ members }) =>
    members.filter((member) => ts.isMethodDeclaration(member)),
  );
  for (const method of methods) {
    const decorator = decoratorsOf(method).find((each) => decoratorName(each) === 'Idempotent');
    if (!decorator || !method.body) continue;
    edit.remove(decorator);
    takeOnce(edit, method);
    giveToOnce(edit, method, method.body);
  }
  editImport(edit);
  return edit.text;
}

function takeOnce(edit: FileEdit, { parameters }: ts.MethodDeclaration): void {
  const last = parameters.at(-1);
  edit.insert(last?.end ?? parameters.pos, `${last ? ', ' : ''}@Once() once: Once`);
}

function giveToOnce(edit: FileEdit, method: ts.MethodDeclaration, body: ts.Block): void {
  const isAsync = method.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  const [first, ...others] = body.statements;
  const result = first && ts.isReturnStatement(first) && others.length === 0 ? first.expression : undefined;
  if (result) {
    edit.insert(result.getStart(), `once(${isAsync ? 'async ' : ''}() => `);
    edit.insert(result.end, ')');
  } else {
    edit.insert(body.getStart() + 1, `\nreturn once(${isAsync ? 'async ' : ''}() => {`);
    edit.insert(body.end - 1, '});\n');
  }
}

/** Makes the file import `Once` in place of `Idempotent`, or only `Once` if it imports both. */
function editImport(edit: FileEdit): void {
  const imports = edit.source.statements.filter((statement) => ts.isImportDeclaration(statement));
  const hasOnce = imports.some((each) => namesOf(each).some(({ name }) => name.text === 'Once'));
  for (const each of imports) {
    const names = namesOf(each);
    const name = names.find((element) => element.name.text === 'Idempotent');
    if (!name) continue;
    const others = names.filter((element) => element !== name).map((element) => element.getText());
    if (hasOnce && others.length === 0) edit.remove(each);
    else if (hasOnce) edit.replace(name.parent, `{ ${others.join(', ')} }`);
    else {
      edit.replace(name, 'Once');
      const from = each.moduleSpecifier;
      edit.replace(from, from.getText().replace('/idempotent.decorator', '/once'));
    }
  }
}

function namesOf({ importClause }: ts.ImportDeclaration): readonly ts.ImportSpecifier[] {
  const bindings = importClause?.namedBindings;
  return bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
}
