import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { SourceMap } from 'node:module';

/** Frames that are looked through: those of TypeORM alone are more than ten. */
const FRAMES = 40;

/** Folder of the service, whether built or not. */
const OWN = resolve(__dirname, '..', '..', '..');

/** Frames of code that carries statements out for others. */
const CARRIERS =
  /\bnode:|[\\/]dist[\\/]packages\.cjs|node_modules[\\/](?:typeorm|pg|pg-pool|better-sqlite3)[\\/]|platform[\\/](?:database|tracing)[\\/]/;

/** Most files whose source maps are remembered. */
const MOST_MAPS = 200;

const maps = new Map<string, SourceMap | undefined>();

/**
 * Finds the caller of the statement in progress, on the stack of the code that awaits it. @returns `file:line:column` of the
 * running code, built or not
 */
export function callerPlace(): string | undefined {
  const { stackTraceLimit } = Error;
  const prepareStackTrace: unknown = Reflect.get(Error, 'prepareStackTrace');
  Error.stackTraceLimit = FRAMES;
  Error.prepareStackTrace = (_, all) => all;
  const sites = new Error().stack as unknown as NodeJS.CallSite[];
  Object.assign(Error, { prepareStackTrace });
  const index = sites.findIndex((each) => {
    const file = each.getFileName();
    return file && !CARRIERS.test(file);
  });
  // Jest compiles TypeScript while it loads, and only a stack that is written as text has places of the source.
  const written = sites[index]?.getFileName()?.endsWith('.ts') ? new Error().stack : undefined;
  Object.assign(Error, { stackTraceLimit });
  const site = sites[index];
  if (!site) return undefined;
  const [, place] = /\(?([^()\s]+:\d+:\d+)\)?$/.exec(written?.split('\n')[index + 1] ?? '') ?? [];
  return place ?? `${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()}`;
}

/** Returns the place in the source for a place in built code, relative to the folder of the service: `src/a.ts:34`. */
export function sourceOf(place: string): string {
  const [, file = '', line = '1', column = '1'] = /^(?:file:\/\/)?(.*):(\d+):(\d+)$/.exec(place) ?? [];
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (entry && 'originalSource' in entry) {
    return `${shortened(resolve(dirname(file), entry.originalSource))}:${entry.originalLine + 1}`;
  }
  return `${shortened(file)}:${line}`;
}

function shortened(file: string): string {
  return relative(OWN, file).replace(/^(?:\.\.[\\/])+/, '');
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    if (maps.size >= MOST_MAPS) maps.clear();
    maps.set(file, readMap(file));
  }
  return maps.get(file);
}

/**
 * Reads the source map of a file.
 *
 * @returns undefined without one: images are built without maps
 */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMap['payload']);
  } catch {
    return undefined;
  }
}
