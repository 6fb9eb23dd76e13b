import type { Tree } from '@angular-devkit/schematics';
import { formatted } from '../text/format.ts';
import { FileEdit } from './file-edit.ts';

/** Lines that a person has to put into a file, because the generator did not recognise their place. */
export interface ByHand {
  readonly path: string;
  /** Description of their place: `where a new order is stored`. */
  readonly place: string;
  readonly lines: readonly string[];
}

/** All changes of one command to the project; nothing is written before all of them are known. */
export class Changes {
  readonly byHand: ByHand[] = [];
  private readonly edits = new Map<string, FileEdit>();
  private readonly created = new Map<string, string>();

  readonly tree: Tree;

  constructor(tree: Tree) {
    this.tree = tree;
  }

  /** The changes to an existing file. */
  edit(path: string): FileEdit {
    let edit = this.edits.get(path);
    if (!edit) this.edits.set(path, (edit = new FileEdit(path, this.tree.readText(path))));
    return edit;
  }

  create(path: string, text: string): void {
    this.created.set(path, text);
  }

  leaveByHand(path: string, place: string, lines: readonly string[]): void {
    this.byHand.push({ path, place, lines });
  }

  /** The files that would be new or different afterwards, as `npm run format` would leave them. */
  async texts(root: string): Promise<Map<string, string>> {
    const edited = [...this.edits].filter(([, { isChanged }]) => isChanged);
    const texts = [...edited.map(([path, { text }]) => [path, text] as const), ...this.created];
    const files = new Map<string, string>();
    for (const [path, text] of texts.sort(([a], [b]) => (a < b ? -1 : 1))) {
      files.set(path, await formatted(root, path, text));
    }
    return files;
  }
}
