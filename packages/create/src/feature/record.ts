import { posix } from 'node:path';
import type { Tree } from '@angular-devkit/schematics';
import { Refusal } from '../refusal.ts';
import { formatted } from '../text/format.ts';
import type { FeatureOptions, RenderedFeature } from './render.ts';

/** File in the folder of a module with the generated texts, so that an update can tell edits from output of the templates. */
const RECORD = '.generated.json';

/** Record of a generated module. */
export interface GenerationRecord {
  readonly options: FeatureOptions;
  /** Texts as they were generated, by path from the module's folder, which may have moved since. */
  readonly files: ReadonlyMap<string, string>;
}

/** The path of a module's record. */
export function recordPath(folder: string): string {
  return `${folder}/${RECORD}`;
}

/** The new record of a feature. */
export function recordOf(
  options: FeatureOptions,
  { folder, files }: Pick<RenderedFeature, 'folder' | 'files'>,
): GenerationRecord {
  const { path = '', words = [], name, operations, plural, parent, owned } = options;
  return {
    // Each option is named, and the type makes sure that none is forgotten: the Nest CLI passes more than the schema knows.
    options: {
      name,
      plural,
      operations,
      owned,
      parent,
      path: [path, ...words].join(' '),
    } satisfies AllOptions,
    files: new Map([...files].map(([file, text]) => [posix.relative(folder, file), text])),
  };
}

/** Options of the command as they are recorded: the fields are one text, and the others say how the command ran. */
type AllOptions = Record<
  Exclude<keyof FeatureOptions, 'words' | 'record' | 'shipped'>,
  string | boolean | undefined
>;

/** The text of a record, as `npm run format` would leave it. */
export function recordText(root: string, folder: string, { options, files }: GenerationRecord) {
  const { path: fields, ...others } = options;
  const record = { options: { ...others, fields }, files: Object.fromEntries(files) };
  return formatted(root, recordPath(folder), JSON.stringify(record, null, 2));
}

/**
 * Reads the record of a module.
 *
 * @throws Refusal
 */
export function readRecord(tree: Tree, folder: string): GenerationRecord {
  const path = recordPath(folder);
  const { options, files } = parse(path, tree.readText(path));
  const { fields, ...others } = options;
  return { options: { ...others, path: fields }, files: new Map(Object.entries(files)) };
}

interface WrittenRecord {
  readonly options: Omit<FeatureOptions, 'path'> & { readonly fields: string };
  readonly files: Readonly<Record<string, string>>;
}

function parse(path: string, text: string): WrittenRecord {
  const record = parsed(path, text);
  if (typeof record?.options?.name !== 'string' || typeof record.files !== 'object') {
    throw new Refusal(`${path} cannot be read: it needs the members options and files.`);
  }
  return record as WrittenRecord;
}

function parsed(path: string, text: string): Partial<WrittenRecord> | null {
  try {
    return JSON.parse(text) as Partial<WrittenRecord> | null;
  } catch (error) {
    throw new Refusal(`${path} cannot be read: ${(error as Error).message}.`);
  }
}
