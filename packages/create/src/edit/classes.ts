import ts from 'typescript';
import { nodesOf } from '../text/sources.ts';
import type { FileEdit } from './file-edit.ts';

/** The class of a name. */
export function classIn(source: ts.SourceFile, name: string): ts.ClassDeclaration | undefined {
  return classesOf(source).find((node) => node.name?.text === name);
}

/** The classes a file declares. */
export function classesOf(source: ts.SourceFile): ts.ClassDeclaration[] {
  return nodesOf(source).filter((node) => ts.isClassDeclaration(node));
}

/** The property of a name. */
export function propertyIn(node: ts.ClassDeclaration, name: string): ts.PropertyDeclaration | undefined {
  return propertiesOf(node).find((property) => property.name.getText() === name);
}

export function propertiesOf(node: ts.ClassDeclaration): ts.PropertyDeclaration[] {
  return node.members.filter((member) => ts.isPropertyDeclaration(member));
}

/** The method of a name. */
export function methodIn(node: ts.ClassDeclaration, name: string): ts.MethodDeclaration | undefined {
  return node.members
    .filter((member) => ts.isMethodDeclaration(member))
    .find((method) => method.name.getText() === name);
}

export function decoratorsOf(node: ts.HasDecorators): readonly ts.Decorator[] {
  return ts.getDecorators(node) ?? [];
}

/** The name of a decorator: `Index` of `@Index('idx_pets_status_id', ['status', 'id'])`. */
export function decoratorName({ expression }: ts.Decorator): string {
  return (ts.isCallExpression(expression) ? expression.expression : expression).getText();
}

/** Adds a property after the others, or after one of them. */
export function addProperty(
  edit: FileEdit,
  node: ts.ClassDeclaration,
  text: string,
  after = propertiesOf(node).at(-1),
): void {
  edit.insert(after?.end ?? startOfBody(node), after ? `\n\n${text}` : `\n${text}\n`);
}

/** Adds a decorator of a class after those of the same name, or else after the last one. */
export function addDecorator(edit: FileEdit, node: ts.ClassDeclaration, text: string): void {
  const name = /^@(\w+)/.exec(text)?.[1];
  const others = decoratorsOf(node);
  const last = others.findLast((other) => decoratorName(other) === name) ?? others.at(-1);
  edit.insert(last?.end ?? node.getStart(), last ? `\n${text}` : `${text}\n`);
}

function startOfBody(node: ts.ClassDeclaration): number {
  return node.members.pos;
}
