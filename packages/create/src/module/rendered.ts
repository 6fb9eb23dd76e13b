import type { SchematicContext } from '@angular-devkit/schematics';
import ts from 'typescript';
import type { FeatureNames } from '../feature/names.ts';
import { readOperations } from '../feature/operations.ts';
import type { LinkedField, LinkedOwned } from '../feature/references.ts';
import { nodesOf, parse } from '../text/sources.ts';
import { renderTemplates } from '../feature/templates.ts';

/** Output of the templates for a feature with these fields and every operation. Code to insert is taken from it. */
export class Rendered {
  readonly sources: readonly ts.SourceFile[];

  private constructor(sources: readonly ts.SourceFile[]) {
    this.sources = sources;
  }

  static async of(
    names: FeatureNames,
    fields: readonly LinkedField[],
    context: SchematicContext,
    owned: readonly LinkedOwned[] = [],
  ): Promise<Rendered> {
    const model = { ...names, fields, owned, operations: readOperations(undefined), time: 0 };
    const files = await renderTemplates(model, context);
    return new Rendered([...files].map(([path, text]) => parse(path, text)));
  }

  /** The file whose path ends in a text. */
  file(end: string): ts.SourceFile {
    const source = this.sources.find(({ fileName }) => fileName.endsWith(end));
    if (!source) throw new Error(`The templates do not generate a file ${end}.`);
    return source;
  }

  /** The files that another rendering lacks. */
  filesBesides(other: Rendered): ts.SourceFile[] {
    const known = other.sources.map(({ fileName }) => fileName);
    return this.sources.filter(({ fileName }) => !known.includes(fileName));
  }

  /** Definitions of the tables in the migration: that of the feature, then those of its arrays of objects. */
  get tables(): ts.ObjectLiteralExpression[] {
    return nodesOf(this.migration)
      .filter((node) => ts.isNewExpression(node) && node.expression.getText() === 'Table')
      .flatMap((node) => [...((node as ts.NewExpression).arguments ?? [])])
      .filter((argument) => ts.isObjectLiteralExpression(argument));
  }

  /** The object literals that are the elements of a member of the feature's table: its `columns`, `indices` and the like. */
  partsOfTable(member: string): ts.ObjectLiteralExpression[] {
    return nodesOf(this.tables[0] as ts.ObjectLiteralExpression)
      .filter((node) => ts.isPropertyAssignment(node) && node.name.getText() === member)
      .flatMap((node) => {
        const { initializer } = node as ts.PropertyAssignment;
        return ts.isArrayLiteralExpression(initializer) ? [...initializer.elements] : [];
      })
      .filter((element) => ts.isObjectLiteralExpression(element));
  }

  /** Options of `createTextIndex()` in the migration, one literal for each index on a text. */
  get textIndexes(): ts.ObjectLiteralExpression[] {
    return nodesOf(this.migration)
      .filter((node) => ts.isCallExpression(node) && node.expression.getText() === 'createTextIndex')
      .flatMap((node) => [...(node as ts.CallExpression).arguments])
      .filter((argument) => ts.isObjectLiteralExpression(argument));
  }

  private get migration(): ts.SourceFile {
    return this.sources.find(({ fileName }) => fileName.includes('/migrations/')) as ts.SourceFile;
  }
}
