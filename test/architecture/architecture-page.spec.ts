import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ARRIVAL_STEPS, OPERATION_STEPS } from '../../src/platform/http/lifecycle/steps';
import { isProduction } from './import-rules';
import { readSourceFiles } from './source-files';

const root = join(__dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');

/** Matches of a pattern in the page, the groups of each. */
const found = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, ...groups]) => groups);

/** The text from one line of the page to another. */
const between = (from: string, to: string) => page.slice(page.indexOf(from), page.indexOf(to));

const concepts = between('## Before you change the list of pets', '## Where new things go');

/** Modules that only those of their own folder import. */
const INSIDE = ['StoredKeysModule'];

const foldersIn = (path: string) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** The folders that the lines of `features.ts` lead to. */
const features = [
  ...readFileSync(join(root, 'src', 'features.ts'), 'utf8').matchAll(/from '\.\/([^/']+)\//g),
].map(([, folder]) => folder as string);

/** The rooms that each line of a table names: a folder, a file beside those, or all features. */
const roomsOf = (section: string) =>
  [...section.matchAll(/^\| (?:`([a-z.-]+)`|features) /gm)].map(([, name]) => (name ? [name] : features));

const rooms = roomsOf(between('| Room of `src`', '| Folder  '));
const platformFolders = roomsOf(between('| Folder  ', '## The life of a request'));

/** Tells whether a feature reaches another by what that one exports, as in a service of one's own. */
const isAmongFeatures = (path: string, target: string) =>
  target.startsWith('src/exports/') && features.some((folder) => path.startsWith(`src/${folder}/`));

/** The imports within a folder that lead from a room to one of a later line; what is not listed comes after all of them. */
function importsUp(folder: string, listed: readonly string[][]): string[] {
  const placeOf = (path: string) => {
    const [, room = ''] = new RegExp(`^${folder}/([^/]+)`).exec(path) ?? [];
    const place = listed.findIndex((line) => line.includes(room));
    return place < 0 ? Infinity : place;
  };
  return readSourceFiles(root, [folder])
    .filter(isProduction)
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target.startsWith(`${folder}/`) && placeOf(`${target}.ts`) > placeOf(path))
        .filter(({ target }) => !isAmongFeatures(path, target))
        .map(({ target }) => `${path} imports ${target}`),
    );
}

/** The modules of the platform and of API keys that others import: name, whether it is global, and what it exports. */
async function modulesOfRooms(): Promise<[string, boolean, string][]> {
  const paths = globSync('src/{platform,auth}/**/*.module.ts', { cwd: root });
  const files = await Promise.all(
    paths.map((path) => import(join(root, path)) as Promise<Record<string, unknown>>),
  );
  return files.flatMap(Object.values).flatMap((module): [string, boolean, string][] => {
    const exported = metadataOf<{ name: string }[]>('exports', module);
    if (!exported || INSIDE.includes((module as { name: string }).name)) return [];
    const names = exported.map(({ name }) => `\`${name}\``).join(', ');
    return [
      [(module as { name: string }).name, metadataOf<boolean>('__module:global__', module) === true, names],
    ];
  });
}

function metadataOf<Value>(key: string, of: unknown): Value | undefined {
  return typeof of === 'function' ? (Reflect.getMetadata(key, of) as Value | undefined) : undefined;
}

describe('docs/architecture.md', () => {
  it('names every folder of src and every file beside them', () => {
    const there = readdirSync(join(root, 'src')).filter((name) => name !== 'tsconfig.json');
    expect(rooms.flat().sort()).toEqual(there.sort());
  });

  it('puts each of them below everything that it imports', () => {
    expect(importsUp('src', rooms)).toEqual([]);
  });

  it('names every folder of the platform', () => {
    expect(platformFolders.flat().sort()).toEqual(foldersIn('src/platform'));
  });

  it('puts each folder of the platform below everything that it imports', () => {
    expect(importsUp('src/platform', platformFolders)).toEqual([]);
  });

  it('lists what the modules of rooms export', async () => {
    const rows = [
      ...between('## What a module may inject', '## The life of a request').matchAll(
        /^\| `(\w+)`(, global)? *\| (.+?) *\|$/gm,
      ),
    ];
    const listed = rows.map(([, name, global, exported = '']) => [name, global !== undefined, exported]);
    expect(listed.toSorted()).toEqual((await modulesOfRooms()).toSorted());
  });

  it('numbers its concepts without a gap, and gives their number', () => {
    const numbers = [...concepts.matchAll(/^(\d+)\. /gm)];
    expect(numbers.map(([, number]) => Number(number))).toEqual(numbers.map((_, index) => index + 1));
    const written = [...between('is written with:', 'It runs on:').matchAll(/^\d+\. /gm)];
    expect(page).toContain(`are ${numbers.length} concepts`);
    expect(page).toContain(`the ${written.length} of the first group`);
  });

  it('counts one concept in each row: one name, one file, no "and"', () => {
    const rows = concepts.split('\n').filter((line) => /^\d/.test(line));
    const joined = rows.filter(
      (row) => !/^\d+\. [^*]*\*\*[^*]+\*\*[^*]*: `[^`]+`$/.test(row) || / and /.test(row),
    );
    expect(joined).toEqual([]);
  });

  it('names no file that does not exist', () => {
    const paths = found(/`((?:src|test|docs)\/[^`*]+)`/g).flat();
    const links = found(/\]\(([^)#:]+)\)/g).map(([link]) => posix.join('docs', link as string));
    expect(paths.length).toBeGreaterThan(50);
    expect([...paths, ...links].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('docs/lifecycle.md', () => {
  const lifecycle = readFileSync(join(root, 'docs', 'lifecycle.md'), 'utf8');
  const [arrival = '', operation = ''] = lifecycle.split('Then a request for an operation');
  const stepsIn = (section: string) =>
    [...section.matchAll(/^\| `(\w+)Step` /gm)].map(([, name]) => name as string);

  it.each([
    ['every request', arrival, ARRIVAL_STEPS],
    ['an operation', operation, OPERATION_STEPS],
  ])('lists the steps of %s in their order, each a file beside the list', (_, section, steps) => {
    const names = stepsIn(section);
    expect(names.map((name) => `${name}Step`)).toEqual(steps.map(({ name }) => name));
    for (const name of names) {
      const file = `${name.replaceAll(/\B[A-Z]/g, '-$&').toLowerCase()}.step.ts`;
      const source = readFileSync(join(root, 'src/platform/http/lifecycle', file), 'utf8');
      expect(source).toContain(`export class ${name}Step `);
    }
  });
});

describe('docs/read-in-an-hour.md', () => {
  const hour = readFileSync(join(root, 'docs', 'read-in-an-hour.md'), 'utf8');

  it('lists ten files that exist', () => {
    const files = [...hour.matchAll(/^\| `(src\/[^`]+)` /gm)].map(([, path]) => path as string);
    expect(files).toHaveLength(10);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('proves each promise by a command that finds a test or a script', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = [...hour.matchAll(/`(?:[A-Z_]+=\d+ )?npm (?:run )?([\w:]+)(?: -- ([^`]+))?`/g)];
    expect(commands.length).toBeGreaterThan(15);
    const files = globSync(['{src,test}/**/*.ts', 'packages/*/test/**/*.ts'], { cwd: root });
    for (const [command, script = '', patterns = ''] of commands) {
      if (script === 'ci') continue;
      const wanted = patterns.split(' ').filter((word) => /^[\w/-]+$/.test(word) && !word.startsWith('--'));
      const missing = wanted.filter((pattern) => !files.some((path) => path.includes(pattern)));
      expect([command, script in scripts, missing]).toEqual([command, true, []]);
    }
  });
});
