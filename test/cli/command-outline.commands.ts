import type { Command } from 'commander';
import type { Cli } from '../../src/platform/cli/cli';
import { outlinedCommands, outlinesOf } from '../../src/platform/cli/command-outline';
import { createProgram } from '../../src/platform/cli/program';
import { CliProcess } from './support/cli-process';
import { everyCommand, helpOf, inertProgram } from './support/command-tree';

describe('The outlines of the commands', () => {
  let real: Command;
  let outlined: Command;
  const run = jest.fn(async () => undefined);

  beforeAll(async () => {
    real = await inertProgram();
    const outlines = outlinesOf(await inertProgram());
    const written = JSON.parse(JSON.stringify(outlines)) as typeof outlines;
    outlined = createProgram([outlinedCommands(written, run)], { output: {} } as Cli);
  });

  it('give every command the same help as the command itself', () => {
    const helps = (program: Command) => everyCommand(program).map(helpOf);
    expect(helps(outlined)).toEqual(helps(real));
    expect(helpOf(outlined)).toBe(helpOf(real));
  });

  it('run the command that is called', async () => {
    await outlined.parseAsync(['keys', 'list'], { from: 'user' });
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe('petstore', () => {
  const cli = new CliProcess();

  it('carries out a command whose argument looks like help', async () => {
    const { code, stderr } = await cli.run('keys', 'show', '--', '--help');
    expect([code, stderr]).toEqual([3, expect.stringContaining('There is no database')]);
  });

  it('suggests commands for an unknown word', async () => {
    const { code, stderr } = await cli.run('keys', 'lst');
    expect([code, stderr]).toEqual([2, expect.stringContaining('list?')]);
  });
});
