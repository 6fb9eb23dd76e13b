import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { USAGE } from '../src/commands.ts';
import type { CommandResult } from '../../../test/support/processes/command.ts';
import { Project } from './support/project.ts';

function refusal(sentence: string): CommandResult {
  return { code: 1, stdout: '', stderr: `${sentence}\n` };
}

describe('The generator refuses in one sentence without writing', () => {
  const project = new Project();
  const before = project.sources();

  afterEach(() => expect(project.sources()).toEqual(before));

  it.each([
    [
      ['classes', '--fields', 'a:string'],
      '"classes" cannot name a feature: class is a reserved word of TypeScript.',
    ],
    [
      ['orders', '--fields', 'a:string', '--operations', 'list,patch'],
      '"patch" is not an operation: choose from list, create, get, update, delete.',
    ],
    [
      ['orders', '--fields', 'ownerId:ref(owners)'],
      'The field ownerId refers to owners, but no feature of that name has an entity with a @GeneratedInt64Key.',
    ],
    [
      ['new-pets', '--fields', 'a:string'],
      'The name NewPetDto is taken: src/pets/dto/new-pet.dto.ts has it.',
    ],
    [
      ['pets', '--fields', 'name:string'],
      'The folder src/pets already exists, and src/migrations/1763700045000-create-pets.ts differs from what these options would generate.',
    ],
    [
      ['orders', '--fields', `${'x'.repeat(60)}:boolean`],
      `The name idx_orders_${'x'.repeat(60)}_id would have 74 characters, and PostgreSQL keeps 63: choose shorter names.`,
    ],
  ])('the arguments %j', async (args, sentence) => {
    expect(await project.generate('feature', ...args)).toEqual(refusal(sentence));
  });
});

describe('The generator refuses a project', () => {
  let project: Project;

  beforeEach(() => {
    project = new Project();
  });

  async function expectRefusal(sentence: string): Promise<void> {
    const before = project.sources();
    expect(await project.generate('feature', 'orders', '--fields', 'a:string')).toEqual(refusal(sentence));
    expect(project.sources()).toEqual(before);
  }

  it('in a process that ends with exit code 1', async () => {
    rmSync(join(project.root, 'src', 'features.ts'));
    const refused = await project.generateByCommand('feature', 'orders', '--fields', 'a:string');
    expect(refused).toEqual(
      refusal('There is no src/features.ts here: run this in the folder of the project.'),
    );
  });

  it('in which the feature would not compile', async () => {
    const path = 'src/platform/exports.ts';
    project.write(path, project.read(path).replace('export { Feature,', 'export {'));
    await expectRefusal(
      `The result would not compile: src/orders/orders.module.ts:1 Module '"@petstore/platform"' has no exported member 'Feature'; nothing was written.`,
    );
  });

  it('whose features.ts does not compile', async () => {
    project.write('src/features.ts', "\nexport { CatsModule } from './cats/cats.module';\n");
    await expectRefusal(
      "The result would not compile: src/features.ts:2 Cannot find module './cats/cats.module' or its corresponding type declarations; nothing was written.",
    );
  });

  it('whose features.ts has a syntax error', async () => {
    project.write('src/features.ts', "export { PetsModule from './pets/pets.module';\n");
    await expectRefusal("The result would not compile: src/features.ts:1 ',' expected; nothing was written.");
  });

  it('that has no features.ts', async () => {
    rmSync(join(project.root, 'src', 'features.ts'));
    await expectRefusal('There is no src/features.ts here: run this in the folder of the project.');
  });

  it('that has the migration of a feature, but not the feature', async () => {
    const path = 'src/migrations/1800000000000-create-orders.ts';
    project.write(path, "export const orders = new Table({ name: 'orders' });\n");
    await expectRefusal(`The table orders is taken: ${path} has it.`);
  });
});

describe('The command line of the generator', () => {
  const project = new Project();

  it.each([
    [[], 'Say what to generate.'],
    [['bogus', 'orders'], '"bogus" cannot be generated.'],
    [['feature'], 'The name of the feature is missing.'],
    [
      ['feature', 'orders', 'note:string'],
      '"note:string" is one argument too many: give fields with --fields.',
    ],
    [['feature', '--all', '--fields', 'note:string'], 'feature does not take --all.'],
    [['update'], 'The name of the feature is missing.'],
    [['update', 'orders', '--all'], 'Name one feature or give --all, not both.'],
    [['update', 'orders', '--fields', 'note:string'], 'update does not take --fields.'],
    [['page', 'pets'], 'The name of the page is missing.'],
    [['feature', 'orders', '--bogus'], "Unknown option '--bogus'."],
    [['feature', 'orders', '--fields'], "Option '--fields <value>' argument missing"],
    [['feature', 'orders', '--dry-run=yes'], "Option '--dry-run' does not take an argument"],
  ])('ends with exit code 2 and its usage for %j', async (args, message) => {
    const { code, stdout, stderr } = await project.generate(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.endsWith(`\n${USAGE}\n`)).toBe(true);
  });

  it('explains itself with examples', async () => {
    const { code, stdout, stderr } = await project.generateByCommand('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.startsWith(USAGE)).toBe(true);
    expect(stdout).toContain('\nExamples:\n  npm run generate -- feature ');
  });
});
