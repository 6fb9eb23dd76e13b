import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { codeShape } from './support/code-shape';
import { Project } from './support/project';

const PETS = join(__dirname, '..', '..', 'src', 'pets');
const MIGRATIONS = ['1763700001000-create-pets.ts', '1763700004000-add-times-to-pets.ts'];
const FIELDS = 'name:string categoryId:int64 status:enum(available|pending|sold)?';

/**
 * Where the reference feature is more than what the generator writes, line by line once texts are left out: what the owner's
 * contract asks for, the seed, that many are added at once, that pets can be restored and sorted by what operators look for, and
 * the icon.
 */
const OF_ITS_OWN: Readonly<Record<string, readonly string[]>> = {
  'pet.entity.ts': [
    `import { CreatedAtColumn, GeneratedInt64Key, Int64Column, RemovedAtColumn, TextColumn, } from '../platform/database/column-types';`,
    `@Index("", ["", ""])`,
    `@Index("", ["", ""], { where: "" })`,
    `@Index("", { synchronize: false })`,
    `@RemovedAtColumn()`,
    `removedAt?: Date | null;`,
  ],
  'pets.admin.ts': [`icon: "",`],
  'pets.controller.ts': [
    `import { DeprecatedOperation } from '../platform/deprecation/deprecated-operation.decorator';`,
    `@DeprecatedOperation({`,
    `since: new Date(""),`,
    `sunset: new Date(""),`,
    `successor: "",`,
    `replacement: "",`,
    `})`,
  ],
  'pets.module.ts': [
    `import { PetsSeed } from './pets.seed';`,
    `providers: [PetsService, PetsRepository, PetsSeed],`,
  ],
  'pets.events.ts': [
    `export class PetRestored {`,
    'readonly subject = `pets/${this.pet.id}`;',
    `constructor(readonly pet: PetDto) { }`,
    `}`,
  ],
  'pets.service.ts': [
    `import { PetCreated, PetDeleted, PetRestored, PetUpdated } from './pets.events';`,
    `createMany(pets: readonly NewPetDto[]): Promise<PetDto[]> {`,
    `return this.events.transactionFor(PetCreated, async () => {`,
    `const created = await this.pets.insertMany(pets.map((pet) => ({ name: pet.name, categoryId: pet.categoryId, status: pet.status ?? null })));`,
    `return created.map((pet) => {`,
    `const dto = toDto(pet);`,
    `this.events.publish(new PetCreated(dto));`,
    `return dto;`,
    `});`,
    `});`,
    `restore(id: bigint): Promise<PetDto> {`,
    `return this.database.transaction(async () => {`,
    `if (!(await this.pets.restore(id)))`,
    `throw new PetNotFoundError();`,
    `const restored = await this.get(id);`,
    `this.events.publish(new PetRestored(restored));`,
    `return restored;`,
    `});`,
    `}`,
    `}`,
  ],
};

/** What the generator writes in its place. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  'pet.entity.ts': [
    `import { CreatedAtColumn, GeneratedInt64Key, Int64Column, TextColumn, } from '../platform/database/column-types';`,
  ],
  'pets.module.ts': [`providers: [PetsService, PetsRepository],`],
  'pets.service.ts': [`import { PetCreated, PetDeleted, PetUpdated } from './pets.events';`],
};

describe('The reference feature', () => {
  const project = new Project();
  let written: string[];

  beforeAll(async () => {
    project.remove('src/pets');
    for (const migration of MIGRATIONS) project.remove(`src/migrations/${migration}`);
    project.write('src/features.ts', '');
    const options = ['--fields', FIELDS, '--operations', 'list,create,get'];
    expect(await project.generate('feature', 'pets', ...options)).toMatchObject({ code: 0, stderr: '' });
    // What updates start from; the reference feature is written by hand.
    project.remove('src/pets/.generated.json');
    written = filesBelow(join(project.root, 'src', 'pets'));
  });

  it('has the files that the generator writes, and its seed', () => {
    expect(filesBelow(PETS)).toEqual([...written, 'pets.seed.ts', 'seed.command.ts'].sort());
  });

  it('is like generated code, except for what the contract asks for', () => {
    for (const path of written) {
      const pets = linesOf(codeShape(readFileSync(join(PETS, path), 'utf8')));
      const generated = linesOf(codeShape(project.read(`src/pets/${path}`)));
      expect([path, without(pets, generated)]).toEqual([path, OF_ITS_OWN[path] ?? []]);
      expect([path, without(generated, pets)]).toEqual([path, INSTEAD[path] ?? []]);
    }
    expect(written).toEqual(expect.arrayContaining(Object.keys(OF_ITS_OWN)));
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The lines that are in the first more often than in the second. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
