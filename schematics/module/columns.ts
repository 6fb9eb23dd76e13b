import ts from 'typescript';
import { decoratorName, decoratorsOf } from '../edit/classes.ts';
import type { FileEdit } from '../edit/file-edit.ts';
import { memberIn } from '../edit/literals.ts';

/** The call of a column's decorator: `@TextColumn({ nullable: true })`. */
function columnCall(node: ts.PropertyDeclaration): ts.CallExpression | undefined {
  const decorator = decoratorsOf(node).find((each) => decoratorName(each).endsWith('Column'));
  return decorator && ts.isCallExpression(decorator.expression) ? decorator.expression : undefined;
}

/** The options of a column, other than the digits of a decimal. */
export function columnOptions(node: ts.PropertyDeclaration): ts.ObjectLiteralExpression | undefined {
  const given = columnCall(node)?.arguments.at(-1);
  return given && ts.isObjectLiteralExpression(given) && !memberIn(given, 'precision') ? given : undefined;
}

/** True if rows may have no value in a column. */
export function isNullable(node: ts.PropertyDeclaration): boolean {
  const options = columnOptions(node);
  return options !== undefined && memberIn(options, 'nullable') !== undefined;
}

/** Adds options to a column. @returns false if its decorator is none of the generator's */
export function addColumnOptions(edit: FileEdit, node: ts.PropertyDeclaration, added: string): boolean {
  const call = columnCall(node);
  if (!call) return false;
  const options = columnOptions(node);
  const last = options?.properties.at(-1);
  if (last) edit.insert(last.end, `, ${added}`);
  else if (options) edit.insert(options.properties.pos, ` ${added} `);
  else edit.insert(call.arguments.end, `${call.arguments.length > 0 ? ', ' : ''}{ ${added} }`);
  return true;
}

/** Removes `nullable: true` from a column. */
export function removeNullable(edit: FileEdit, node: ts.PropertyDeclaration): void {
  const call = columnCall(node);
  const options = columnOptions(node);
  const nullable = options && memberIn(options, 'nullable');
  if (!call || !nullable) return;
  if (options.properties.length > 1) edit.removeElement(options.properties, nullable);
  else edit.removeElement(call.arguments, options);
}

/** Lets a member be null, or no longer. */
export function setNull(edit: FileEdit, { type }: ts.PropertyDeclaration, mayBeNull: boolean): void {
  if (!type || /\bnull\b/.test(type.getText()) === mayBeNull) return;
  if (mayBeNull) edit.insert(type.end, ' | null');
  else edit.replace(type, type.getText().replace(/\s*\|\s*null\b/, ''));
}
