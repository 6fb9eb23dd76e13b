import type { Command } from 'commander';
import { flagOf } from '../../../src/admin/records/commands/field-options';
import { fieldsOf } from '../../../src/admin/records/record-fields';
import * as features from '../../../src/features';
import { recordsOf } from '../../../src/platform/features/feature-modules';
import { everyCommand, examplesOf, inertProgram, type Leaf, leavesOf } from '../../cli/support/command-tree';

/** Commands that give no data, or data that has a form of its own. */
const WITHOUT_JSON = /^(seed|config check|openapi export|audit (export|follow))$/;

/** What a secret would be called. A key is named by its id and never by itself. */
const SECRET = /pass(word|phrase)|token|secret|credential|api-?key|bearer|key-value/i;

/** Options of the fields of records, whatever modules call theirs: what the interface responds with is no secret. */
const FIELD_FLAGS = new Set(
  recordsOf(features).flatMap(({ record }) => fieldsOf(record).map(({ name }) => flagOf(name))),
);

describe('The commands of petstore', () => {
  let program: Command;
  let leaves: Leaf[];
  beforeAll(async () => {
    program = await inertProgram();
    leaves = leavesOf(program);
  });

  /** The commands of which something is not so, by the words that name them. */
  const pathsOf = (isWrong: (leaf: Leaf) => boolean) => leaves.filter(isWrong).map(({ path }) => path);

  it('use the singular for commands about one record', () => {
    const descriptionOf = (wanted: string) =>
      leaves.find(({ path }) => path === wanted)?.command.description();
    expect(['create', 'show', 'restore'].map((word) => descriptionOf(`pets ${word}`))).toEqual([
      'add one pet',
      'show one pet, removed or not',
      'restore a removed pet',
    ]);
  });

  it('have a description each', () => {
    expect(leaves.length).toBeGreaterThan(10);
    expect(everyCommand(program).filter((command) => command.description() === '')).toEqual([]);
  });

  it('have examples that are valid', async () => {
    expect(pathsOf((leaf) => examplesOf(leaf).length === 0)).toEqual([]);
    for (const leaf of leaves) {
      for (const words of examplesOf(leaf)) {
        expect(`${words.join(' ')} `).toContain(`${leaf.path} `);
        await (await inertProgram()).parseAsync(words, { from: 'user' });
      }
    }
  });

  it('take --json when they print data', () => {
    const hasJson = ({ command }: Leaf) => command.options.some(({ long }) => long === '--json');
    expect(pathsOf((leaf) => !WITHOUT_JSON.test(leaf.path) && !hasJson(leaf))).toEqual([]);
  });

  it('take no secret as an argument, which every process could see', () => {
    const namesOf = ({ command }: Leaf) => [
      ...command.options.filter(({ long }) => !FIELD_FLAGS.has(long ?? '')).flatMap(({ flags }) => flags),
      ...command.registeredArguments.map((argument) => argument.name()),
    ];
    expect(pathsOf((leaf) => namesOf(leaf).some((name) => SECRET.test(name)))).toEqual([]);
  });

  it('describe every option and argument', () => {
    const describedOf = ({ command }: Leaf) => [...command.options, ...command.registeredArguments];
    expect(pathsOf((leaf) => describedOf(leaf).some(({ description }) => description === ''))).toEqual([]);
  });
});
