import ts from 'typescript';
import { nodesOf, parse } from '../text/sources.ts';
import { type Import, type Insertion, importing, withoutUnusedImports } from './imports.ts';

/** Changes to one file, at nodes of its syntax tree: the rest stays as it was typed. */
export class FileEdit {
  readonly path: string;
  readonly source: ts.SourceFile;
  private readonly before: string;
  private readonly insertions: Insertion[] = [];
  private readonly imports: Import[] = [];
  private readonly removedNames = new Set<string>();

  constructor(path: string, before: string) {
    this.path = path;
    this.before = before;
    this.source = parse(path, before);
  }

  /** Inserts a text. Insertions at the same position stand in the order they were made. */
  insert(at: number, text: string): void {
    this.insertions.push({ at, text });
  }

  replace(node: ts.Node, text: string): void {
    this.insertions.push({ at: node.getStart(), end: node.end, text });
  }

  /** Removes a node that has lines of its own. */
  remove(node: ts.Node): void {
    const lineEnd = this.before.indexOf('\n', node.end);
    this.insertions.push({ at: node.getStart(), end: lineEnd < 0 ? node.end : lineEnd + 1, text: '' });
  }

  /** Removes a node with the comments before it. Imports that only removed nodes use go as well. */
  removeWhole(node: ts.Node): void {
    this.removeRange(node, node.pos, node.end);
  }

  /** Replaces a node; imports that only it used go. */
  replaceWhole(node: ts.Node, text: string): void {
    this.removeRange(node, node.getStart(), node.end, text);
  }

  /** Removes an element of a list with its comma. */
  removeElement(elements: ts.NodeArray<ts.Node>, node: ts.Node): void {
    const index = elements.indexOf(node);
    const [before, next] = [elements[index - 1], elements[index + 1]];
    if (next) this.removeRange(node, node.pos, next.pos);
    else this.removeRange(node, before?.end ?? node.pos, before ? node.end : elements.end);
  }

  private removeRange(node: ts.Node, at: number, end: number, text = ''): void {
    this.insertions.push({ at, end, text });
    for (const each of nodesOf(node)) if (ts.isIdentifier(each)) this.removedNames.add(each.text);
  }

  /** Imports names; names that are imported already stay as they are. */
  import(...names: readonly Import[]): void {
    this.imports.push(...names);
  }

  /** The text of the file with all changes. */
  get text(): string {
    const insertions = [...this.insertions, ...importing(this.source, this.imports)];
    const edited = insertions
      .map((insertion, index) => ({ ...insertion, index }))
      .sort((a, b) => b.at - a.at || b.index - a.index)
      .reduce(
        (text, { at, end = at, text: inserted }) => text.slice(0, at) + inserted + text.slice(end),
        this.before,
      );
    return this.removedNames.size > 0 ? withoutUnusedImports(this.path, edited, this.removedNames) : edited;
  }

  get isChanged(): boolean {
    return this.insertions.length > 0;
  }
}
