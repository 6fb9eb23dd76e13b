import type ts from 'typescript';
import { classIn, decoratorName, decoratorsOf, methodIn } from '../edit/classes.ts';
import type { Changes } from '../edit/changes.ts';
import { importWhatIsUsed } from '../edit/imports.ts';
import { classOf, type ExistingModule } from './existing-module.ts';
import type { Rendered } from './rendered.ts';

/**
 * Gives the handlers of a module the decorators that the templates give them now, such as the errors they can respond with.
 *
 * @param before former output of the templates
 */
export function decorateHandlers(
  changes: Changes,
  module: ExistingModule,
  rendered: Rendered,
  before: Rendered,
): void {
  const end = `/${module.plural.kebab}.controller.ts`;
  const name = `${module.plural.pascal}Controller`;
  const [source, known] = [rendered.file(end), before.file(end)];
  const target = classOf(module, name);
  const [made, old] = [classIn(source, name), classIn(known, name)] as [
    ts.ClassDeclaration,
    ts.ClassDeclaration,
  ];
  for (const member of made.members) {
    const handler = methodIn(made, member.name?.getText() ?? '');
    const twin = handler && methodIn(old, handler.name.getText());
    const there = handler && target && methodIn(target.node, handler.name.getText());
    if (!handler || !twin || !target || !there) continue;
    const texts = [...decoratorsOf(twin), ...decoratorsOf(there)].map((each) => each.getText());
    const names = decoratorsOf(there).map(decoratorName);
    const added = decoratorsOf(handler).filter(
      (each) => !texts.includes(each.getText()) && (isRepeated(each) || !names.includes(decoratorName(each))),
    );
    const last = decoratorsOf(there).at(-1);
    if (added.length === 0 || !last) continue;
    const edit = changes.edit(target.path);
    edit.insert(last.end, added.map((each) => `\n${each.getText()}`).join(''));
    importWhatIsUsed(edit, added, source);
  }
}

/**
 * True for a decorator that a handler can have several times. It has one of each other kind, whose texts may be its team's own.
 */
function isRepeated(decorator: ts.Decorator): boolean {
  return decoratorName(decorator) === 'ErrorResponse';
}
