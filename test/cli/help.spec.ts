import { flagOf } from '../../src/admin/records/commands/field-options';
import { fieldsOf } from '../../src/admin/records/record-fields';
import * as features from '../../src/features';
import { recordsOf } from '../../src/platform/features/feature-modules';
import { everyCommand, examplesOf, inertProgram, leavesOf } from './support/command-tree';

const program = inertProgram();
const leaves = leavesOf(program);

/** Commands that give no data, or data that has a form of its own. */
const WITHOUT_JSON = /^(seed|config check|mcp|openapi export|audit export|completion (bash|zsh|fish))$/;

/** What a secret would be called. A key is named by its id and never by itself. */
const SECRET = /pass(word|phrase)|token|secret|credential|api-?key|bearer|key-value/i;

/** Options of the fields of records, whatever modules call theirs: what the interface answers is no secret. */
const FIELD_FLAGS = new Set(
  recordsOf(features).flatMap(({ record }) => fieldsOf(record).map(({ name }) => flagOf(name))),
);

describe('the commands', () => {
  it('are many, each with a description', () => {
    expect(leaves.length).toBeGreaterThan(10);
    expect(everyCommand(program).filter((command) => command.description() === '')).toEqual([]);
  });

  it.each(leaves)('have examples that parse: $path', async (leaf) => {
    const examples = examplesOf(leaf);
    expect(examples.length).toBeGreaterThan(0);
    for (const words of examples) {
      expect(`${words.join(' ')} `).toContain(`${leaf.path} `);
      await expect(inertProgram().parseAsync(words, { from: 'user' })).resolves.toBeDefined();
    }
  });

  it.each(leaves.filter(({ path }) => !WITHOUT_JSON.test(path)))('print JSON: $path', ({ command }) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
  });

  it.each(leaves)('take no secret where every process sees it: $path', ({ command }) => {
    const names = [
      ...command.options.filter(({ long }) => !FIELD_FLAGS.has(long ?? '')).flatMap(({ flags }) => flags),
      ...command.registeredArguments.map((argument) => argument.name()),
    ];
    expect(names.filter((name) => SECRET.test(name))).toEqual([]);
  });

  it.each(leaves)('leave --server, which may stand anywhere, to the program: $path', ({ command }) => {
    expect(command.options.map(({ long }) => long)).not.toContain('--server');
  });

  it.each(leaves)('describe every option and argument: $path', ({ command }) => {
    const described = [...command.options, ...command.registeredArguments];
    expect(described.filter(({ description }) => description === '')).toEqual([]);
  });
});
