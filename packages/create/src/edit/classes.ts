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

function propertiesOf(node: ts.ClassDeclaration): ts.PropertyDeclaration[] {
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

/** Adds a property after the others. */
export function addProperty(edit: FileEdit, node: ts.ClassDeclaration, text: string): void {
  const last = propertiesOf(node).at(-1);
  edit.insert(last?.end ?? node.members.pos, last ? `\n\n${text}` : `\n${text}\n`);
}
