import type { Tree } from '@angular-devkit/schematics';
import type { Changes } from '../edit/changes.ts';
import { readRecord, recordJson, recordPath } from '../feature/record.ts';
import { Refusal } from '../refusal.ts';
import { type ExistingModule, storedMembers } from './existing-module.ts';

/** Steps of one change to a module, which take place in several releases: minor versions of the project. */
export class Steps {
  private readonly changes: Changes;
  private readonly module: ExistingModule;
  private readonly tree: Tree;
  private readonly change: string;

  /** @param change the command and its field: `change name` */
  constructor(changes: Changes, module: ExistingModule, tree: Tree, change: string) {
    this.changes = changes;
    this.module = module;
    this.tree = tree;
    this.change = change;
  }

  /** Notes in the record of the module that a step was made for this version. @throws Refusal when there is no record */
  note(): void {
    const record = this.record();
    const steps = { ...record.steps, [this.change]: this.version };
    this.changes.create(recordPath(this.module.folder), recordJson({ ...record, steps }));
  }

  /** Removes the note after the last step, if there is one. */
  end(): void {
    if (!this.tree.exists(recordPath(this.module.folder))) return;
    const record = this.record();
    const { [this.change]: made, ...others } = record.steps ?? {};
    if (made === undefined) return;
    const steps = Object.keys(others).length > 0 ? others : undefined;
    this.changes.create(recordPath(this.module.folder), recordJson({ ...record, steps }));
  }

  /** True if a step was noted, and the last one was not. */
  get hasBegun(): boolean {
    const { folder } = this.module;
    return this.tree.exists(recordPath(folder)) && this.record().steps?.[this.change] !== undefined;
  }

  /**
   * Explains that it is too early for the next step, because nodes may serve that do not know the one before; undefined if it is
   * not.
   *
   * @param done the step before it in words: `was narrowed`
   */
  waiting(done: string): string | undefined {
    const { folder, plural } = this.module;
    const made = this.tree.exists(recordPath(folder)) ? this.record().steps?.[this.change] : undefined;
    if (made === undefined || isAfterTheNext(made, this.version)) return undefined;
    const [, field] = this.change.split(' ');
    return `The field ${field} of ${plural.kebab} ${done} for version ${made}, and this is ${this.version}: nothing was changed. The next step is for ${this.next(made)} or later (docs/schema-changes.md).`;
  }

  /** The first version that the next step can be made for. */
  next(version = this.version): string {
    const [major = 0, minor = 0] = partsOf(version);
    return `${major}.${minor + 2}.0`;
  }

  private get version(): string {
    const { version } = JSON.parse(this.tree.readText('package.json')) as { version?: string };
    if (version === undefined || partsOf(version).length < 2) {
      throw new Refusal('package.json needs a version, such as 1.1.0: this change takes several releases.');
    }
    return version;
  }

  private record() {
    const { folder } = this.module;
    if (!this.tree.exists(recordPath(folder))) {
      throw new Refusal(
        `${folder} has no record of what was generated, in which the steps of a change over several releases are noted: write one with the command that generated it and --record, or make the change by hand (docs/schema-changes.md).`,
      );
    }
    return readRecord(this.tree, folder);
  }
}

/** The steps by which an optional field becomes required. */
export function stepsOfRequirement(changes: Changes, module: ExistingModule, name: string): Steps {
  return new Steps(changes, module, changes.tree, `require ${name}`);
}

/**
 * Refuses a field that is being renamed: its next step would know nothing of another change.
 *
 * @param role `either` to refuse its new name, too
 * @throws Refusal
 */
export function refuseRenamed(
  changes: Changes,
  module: ExistingModule,
  name: string,
  role: 'old' | 'either' = 'old',
): void {
  const { plural } = module;
  for (const other of storedMembers(module)) {
    const names = [[name, other.name], ...(role === 'either' ? [[other.name, name]] : [])];
    for (const [from, to] of names) {
      if (!new Steps(changes, module, changes.tree, `rename ${from} ${to}`).hasBegun) continue;
      throw new Refusal(
        `The field ${name} of ${plural.kebab} is being renamed: go on by npm run generate -- rename ${plural.kebab} "${from}->${to}".`,
      );
    }
  }
}

/** True if at least one release lies between two versions. */
function isAfterTheNext(before: string, version: string): boolean {
  const [[major = 0, minor = 0], [laterMajor = 0, laterMinor = 0]] = [partsOf(before), partsOf(version)];
  if (major === laterMajor) return laterMinor >= minor + 2;
  return laterMajor > major + 1 || (laterMajor === major + 1 && laterMinor >= 1);
}

function partsOf(version: string): number[] {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  return major === undefined ? [] : [Number(major), Number(minor)];
}
