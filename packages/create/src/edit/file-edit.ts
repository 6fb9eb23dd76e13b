import type ts from 'typescript';
import { parse } from '../text/sources.ts';
import { type Import, type Insertion, importing } from './imports.ts';

/** Changes to one file, at nodes of its syntax tree: the rest stays as it was typed. */
export class FileEdit {
  readonly path: string;
  readonly source: ts.SourceFile;
  private readonly before: string;
  private readonly insertions: Insertion[] = [];
  private readonly imports: Import[] = [];

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

  /** Imports names; names that are imported already stay as they are. */
  import(...names: readonly Import[]): void {
    this.imports.push(...names);
  }

  /** The text of the file with all changes. */
  get text(): string {
    const insertions = [...this.insertions, ...importing(this.source, this.imports)];
    return insertions
      .map((insertion, index) => ({ ...insertion, index }))
      .sort((a, b) => b.at - a.at || b.index - a.index)
      .reduce(
        (text, { at, end = at, text: inserted }) => text.slice(0, at) + inserted + text.slice(end),
        this.before,
      );
  }

  get isChanged(): boolean {
    return this.insertions.length > 0;
  }
}
