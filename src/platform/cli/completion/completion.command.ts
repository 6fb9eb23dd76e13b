import type { Command } from 'commander';
import type { Cli } from '../cli';
import { bashCompletion } from './bash';
import { type CompletedCommand, completionModel } from './completion-model';
import { fishCompletion } from './fish';
import { zshCompletion } from './zsh';

/** The shells, and the way in which each loads its script. */
const SHELLS: Readonly<
  Record<string, { write: (commands: readonly CompletedCommand[]) => string; install: string; file: string }>
> = {
  bash: {
    write: bashCompletion,
    install: `echo 'source <(petstore completion bash)' >> ~/.bashrc`,
    file: '/etc/bash_completion.d/petstore',
  },
  zsh: {
    write: zshCompletion,
    install: `echo 'source <(petstore completion zsh)' >> ~/.zshrc   # after compinit`,
    file: '~/.zfunc/_petstore',
  },
  fish: {
    write: fishCompletion,
    install: 'petstore completion fish > ~/.config/fish/completions/petstore.fish',
    file: '~/.config/fish/completions/petstore.fish',
  },
};

/**
 * `petstore completion`: scripts that complete commands, options and values. They contain all of these, because asking the
 * program at each key would take as long as starting it.
 */
export function addCompletionCommands(program: Command, cli: Cli): void {
  const completion = program
    .command('completion')
    .description('print a script for the shell that completes commands and options')
    .addHelpText('after', '\nExample:\n  petstore completion bash > /etc/bash_completion.d/petstore');

  for (const [shell, { write, install, file }] of Object.entries(SHELLS)) {
    completion
      .command(shell)
      .description(`print the script for ${shell}`)
      .addHelpText(
        'after',
        `\nInstall it, for a petstore that is on the PATH, and again after each upgrade if it is kept in a file:\n  ${install}\n\nExamples:\n  petstore completion ${shell}\n  petstore completion ${shell} > ${file}`,
      )
      // The whole program: by now every group has added its commands.
      .action(() => cli.output.text(write(completionModel(program))));
  }
}
