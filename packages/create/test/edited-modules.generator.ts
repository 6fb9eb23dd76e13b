import { posix } from 'node:path';
import type { CommandResult } from '../../../test/support/processes/command.ts';
import { additions, lineCounts } from './support/line-counts.ts';
import { at, edited, type EditedModule, editedModules, withComments } from './support/random-edits.ts';
import { Project } from './support/project.ts';

const SEED = 14;
const TEMPLATES = 'packages/create/src/feature/files/feature/src/';
const SERVICE = `${TEMPLATES}__folder__/__folder__.service.ts.template`;
const MIGRATIONS = 'src/migrations';
const NOTHING: CommandResult = { code: 0, stdout: 'Everything is up to date.\n', stderr: '' };
const MARKER = /^<<<<<<< /gm;

/** What the record of a module says, by path from the root. */
function recorded(project: Project, name: string): Map<string, string> {
  const { files } = JSON.parse(project.read(`src/${name}/.generated.json`)) as {
    files: Record<string, string>;
  };
  return new Map(Object.entries(files).map(([path, text]) => [posix.join(`src/${name}`, path), text]));
}

/** What a newer generator may bring: comments, another name, a file more, a file less, another migration. */
function improveTemplates(project: Project): void {
  const paths = [...project.files('packages/create').keys()].filter((path) => path.startsWith(TEMPLATES));
  for (const path of paths) {
    project.write(path, withComments(project.read(path), SEED + path.length, 'better'));
  }
  project.write(SERVICE, project.read(SERVICE).replaceAll('toDto', 'dtoOf'));
  project.write(
    `${TEMPLATES}__folder__/__folder__.limits.ts.template`,
    'export const MAX_<%= plural.snake %> = 100;\n',
  );
  project.remove(`${TEMPLATES}__folder__/__folder__.errors.ts.template`);
}

async function generate(project: Project, { name, fields, operations }: EditedModule): Promise<void> {
  const args = ['feature', name, '--fields', fields, '--operations', operations];
  expect(await project.generate(...args)).toMatchObject({ code: 0, stderr: '' });
}

describe('An update of twenty edited modules', () => {
  const modules = editedModules(SEED);
  const project = Project.small();
  const base = new Map<string, string>();
  const theirs = new Map<string, string>();
  let before: ReadonlyMap<string, string>;
  let after: ReadonlyMap<string, string>;
  let outcome: CommandResult;

  beforeAll(async () => {
    for (const module of modules) await generate(project, module);
    const generated = project.files('src');
    // What the first two were generated as is left as it is.
    for (const { name, edits } of modules.slice(2)) {
      const paths = [...generated.keys()].filter(
        (path) => path.startsWith(`src/${name}/`) && !path.endsWith('.json'),
      );
      edits.forEach((edit, number) => {
        const path = at(paths, edit.file);
        project.write(path, edited(project.read(path), edit, `edited_${name}_${number}`));
      });
    }
    before = project.files('src');
    for (const { name } of modules) recorded(project, name).forEach((text, path) => base.set(path, text));
    expect([...base].filter(([path, text]) => generated.get(path) !== text)).toEqual([]);
    improveTemplates(project);
    outcome = await project.generate('update', '--all');
    after = project.files('src');
    for (const { name } of modules) recorded(project, name).forEach((text, path) => theirs.set(path, text));
  });

  /** The files that were generated, but for migrations and for those that the templates no longer have. */
  function mergedPaths(): string[] {
    return [...base.keys()].filter((path) => !path.endsWith('.errors.ts') && !path.startsWith(MIGRATIONS));
  }

  /** Lines that are in `text` less often than their edits or the templates added them. */
  function lost(added: ReadonlyMap<string, number>, text: string | undefined): string[] {
    const counts = lineCounts(text);
    return [...added].filter(([line, count]) => (counts.get(line) ?? 0) < count).map(([line]) => line);
  }

  it('loses no line that was added, changed, renamed or moved by hand', () => {
    let edits = 0;
    for (const path of before.keys()) {
      const added = additions(before.get(path), base.get(path) ?? before.get(path));
      edits += added.size;
      if (!path.endsWith('.json')) expect([path, lost(added, after.get(path))]).toEqual([path, []]);
    }
    expect(edits).toBeGreaterThan(500);
  });

  it('brings back no deleted line, except in a conflict', () => {
    let deletions = 0;
    for (const path of mergedPaths().filter((name) => !after.get(name)?.match(MARKER))) {
      const deleted = additions(base.get(path), before.get(path));
      const changed = additions(theirs.get(path), base.get(path));
      const counts = { ours: lineCounts(before.get(path)), result: lineCounts(after.get(path)) };
      for (const line of deleted.keys()) {
        const expected = (counts.ours.get(line) ?? 0) + (changed.get(line) ?? 0);
        expect([path, line, counts.result.get(line) ?? 0]).toEqual([path, line, expected]);
      }
      deletions += deleted.size;
    }
    expect(deletions).toBeGreaterThan(200);
  });

  it('brings every changed line of the templates', () => {
    let improvements = 0;
    for (const [path, text] of theirs) {
      if (path.startsWith(MIGRATIONS)) continue;
      const added = additions(text, base.get(path));
      expect([path, lost(added, after.get(path))]).toEqual([path, []]);
      improvements += added.size;
    }
    expect(improvements).toBeGreaterThan(300);
  });

  it('lists each conflict, and ends with 3', () => {
    const marked = [...after].map(([path, text]) => [path, text.match(MARKER)?.length ?? 0] as const);
    const conflicts = marked.filter(([, count]) => count > 0);
    const sentences = conflicts.map(
      ([path, count]) =>
        `CONFLICT in ${path}: ${count === 1 ? 'one place is' : `${count} places are`} marked with <<<<<<< and >>>>>>>.`,
    );
    const told = outcome.stdout.split('\n').filter((line) => line.startsWith('CONFLICT'));
    expect(told.sort()).toEqual(sentences.sort());
    expect(told.length).toBeGreaterThan(5);
    expect(outcome).toMatchObject({ code: 3, stderr: '' });
  });

  it('writes unedited files like a new generation', async () => {
    const fresh = Project.small();
    improveTemplates(fresh);
    const some = modules.slice(0, 5);
    for (const module of some) await generate(fresh, module);
    const ofModules = ([path]: [string, string]) => !path.startsWith(MIGRATIONS) && !path.endsWith('.json');
    for (const { name } of some) {
      const texts = [...recorded(fresh, name)].filter(ofModules);
      expect(texts).toEqual([...recorded(project, name)].filter(ofModules));
      const unedited = texts.filter(([path]) => before.get(path) === (base.get(path) ?? before.get(path)));
      expect(unedited.map(([path]) => [path, after.get(path)])).toEqual(unedited);
    }
  });

  it('removes a file that the templates no longer have, unless it was edited, and says so', () => {
    const errors = [...base.keys()].filter((path) => path.endsWith('.errors.ts'));
    const unix = (text: string | undefined) => text?.replaceAll('\r\n', '\n');
    const kept = errors.filter((path) => unix(before.get(path)) !== base.get(path));
    expect([...after.keys()].filter((path) => errors.includes(path)).sort()).toEqual(kept.sort());
    for (const path of kept) {
      expect(after.get(path)).toBe(before.get(path));
      expect(outcome.stdout).toContain(
        `\n${path} was edited and was kept, although the templates no longer have it.\n`,
      );
    }
    expect([kept.length > 0, kept.length < errors.length]).toEqual([true, true]);
  });

  it('keeps migrations, which may have run, and says that they would now differ', () => {
    const migrations = [...base.keys()].filter((path) => path.startsWith(MIGRATIONS));
    expect(migrations).toHaveLength(20);
    for (const path of migrations) {
      expect(after.get(path)).toBe(before.get(path));
      expect(outcome.stdout).toContain(
        `\n${path} was kept, because it may have run: the changes of its template need a new migration (docs/schema-changes.md).\n`,
      );
    }
  });

  it('touches nothing else', () => {
    const others = [...before].filter(
      ([path]) => !modules.some(({ name }) => path.startsWith(`src/${name}/`)),
    );
    expect(others.map(([path]) => [path, after.get(path)])).toEqual(others);
  });

  it('leaves nothing to do for the next update', async () => {
    expect(await project.generate('update', '--all')).toEqual(NOTHING);
    expect(project.files('src')).toEqual(after);
  });
});
