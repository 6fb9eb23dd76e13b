import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { Refusal } from '../refusal.ts';
import type { LinkedField } from './references.ts';
import { nodesOf } from '../text/sources.ts';
import { type Use, usesOf } from './uses.ts';

/** Longest name that PostgreSQL does not cut; two cut names could be the same. */
const MAX_SQL_NAME = 63;

/** No document has the classes of this folder, and no feature imports them. Their tables and constraints count all the same. */
const ADMIN = 'src/admin/';

/** File in the package of the generator with the names that the platform uses. */
const PLATFORM_NAMES = join(import.meta.dirname, 'taken-names.json');

/**
 * Refuses names that the service uses already.
 *
 * @param files the files to be written
 * @param sources the existing files
 * @throws Refusal
 */
export function refuseTakenNames(files: readonly ts.SourceFile[], sources: readonly ts.SourceFile[]): void {
  refuseTakenUses(files.flatMap(usesOf), sources);
}

/**
 * Refuses names that the service uses for something else.
 *
 * @param sources the existing files
 * @throws Refusal
 */
export function refuseTakenUses(wanted: readonly Use[], sources: readonly ts.SourceFile[]): void {
  const uses = [...platformUses(), ...sources.flatMap(usesOf)].filter(
    ({ kind, path }) => kind !== 'name' || !path.startsWith(ADMIN),
  );
  const taken = new Map(uses.map((use) => [keyOf(use), use]));
  for (const use of wanted) {
    const owner = taken.get(keyOf(use));
    if (owner) throw new Refusal(`The ${use.kind} ${use.text} is taken: ${owner.path} has it.`);
  }
}

/**
 * Refuses enums with the name of another part of the feature.
 *
 * @throws Refusal
 */
export function refuseEnumsNamedAsParts(
  files: readonly ts.SourceFile[],
  fields: readonly LinkedField[],
): void {
  const names = files.flatMap(usesOf).filter(({ kind }) => kind === 'name');
  for (const { name, enum: own } of fields) {
    const part = names.find(({ text, path }) => text === own?.name && !path.endsWith(`/${own.file}.ts`));
    if (part) {
      throw new Refusal(
        `The enum of the field ${name} would be called ${part.text}, a name that ${part.path} already uses.`,
      );
    }
  }
}

/**
 * Refuses names of tables, columns, indexes and constraints that PostgreSQL would cut.
 *
 * @throws Refusal
 */
export function refuseLongSqlNames(files: readonly ts.SourceFile[]): void {
  const names = files
    .filter(({ fileName }) => /\.entity\.ts$|\/migrations\//.test(fileName))
    .flatMap((file) => nodesOf(file))
    .filter((node) => ts.isStringLiteralLike(node))
    .map(({ text }) => text);
  const long = names.find((name) => /^[a-z][a-z0-9_]*$/.test(name) && name.length > MAX_SQL_NAME);
  if (long !== undefined) {
    throw new Refusal(
      `The name ${long} would have ${long.length} characters, and PostgreSQL keeps ${MAX_SQL_NAME}: choose shorter names.`,
    );
  }
}

/** Names that the platform has where it is a package; in this repository they are among the sources. */
function platformUses(): readonly Use[] {
  if (!existsSync(PLATFORM_NAMES)) return [];
  return JSON.parse(readFileSync(PLATFORM_NAMES, 'utf8')) as readonly Use[];
}

/** A key that is the same for two uses of the same name. */
function keyOf({ kind, text }: Use): string {
  return `${kind} ${text}`;
}
