import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '@angular-devkit/schematics';
import type ts from 'typescript';
import { FEATURES } from '../feature/feature-list.ts';
import { parse, readSourcesWith } from '../text/sources.ts';
import { isRepository } from './repository.ts';

/** The package by which modules everywhere import pets. */
const PETS_PACKAGE = '@petstore/platform/pets';

/** The exports of that package, in the repository that has pets as a folder. */
const EXPORTS = 'src/exports/pets.ts';

/** The entity of pets, to which modules in other repositories may refer. */
const PET = 'src/pets/pet.entity.ts';

/** Its source: beside this file in the package of the generator, otherwise in this repository. */
const PET_SOURCE = [
  join(import.meta.dirname, 'pet.entity.txt'),
  join(import.meta.dirname, '..', '..', '..', '..', PET),
];

/** The package of a module that lies in a folder, if it has one. */
export function packageOf(tree: Tree, folder: string): string | undefined {
  return folder === 'src/pets' && tree.exists(EXPORTS) ? PETS_PACKAGE : undefined;
}

/** The sources of the entities that fields may refer to. */
export function entitySources(tree: Tree): ts.SourceFile[] {
  const own = readSourcesWith(tree, ['@Entity(']);
  if (!isRepository(tree) && !tree.readText(FEATURES).includes(PETS_PACKAGE)) return own;
  return [...own, parse(PET, readFileSync(PET_SOURCE.find((path) => existsSync(path)) as string, 'utf8'))];
}
