import type { Tree } from '@angular-devkit/schematics';
import { formatted } from '../text/format.ts';
import { FileEdit } from './file-edit.ts';

/** Lines that are left for a person to put into a file, because their place was not recognised. */
export interface ByHand {
  readonly path: string;
  /** Where they belong: `where a new order is stored`. */
  readonly place: string;
  readonly lines: readonly string[];
}

/** Everything that one command changes in the project; nothing is written before all of it is known. */
export class Changes {
  readonly byHand: ByHand[] = [];
  private readonly edits = new Map<string, FileEdit>();
  private readonly created = new Map<string, string>();

  private readonly tree: Tree;

  constructor(tree: Tree) {
    this.tree = tree;
  }

  /** The changes to a file that is there. */
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

  /** The files that would be there afterwards and are not there yet, or differ; as `npm run format` would leave them. */
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
