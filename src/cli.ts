#!/usr/bin/env node
import './process/require-node';
import { collectEarly } from './process/frugal-heap';
import './process/compile-cache';
import 'reflect-metadata';
import { exitAtFailedStart } from './process/exit';
import { checkModulePackages } from './process/module-packages';
import { Output } from './platform/cli/output';
import { runProgram } from './platform/cli/program';

async function main(): Promise<void> {
  collectEarly();
  await checkModulePackages();
  const { COMMAND_GROUPS, createCli } = await import('./create-cli.js');
  const cli = createCli(new Output(process.stdout, process.stderr));
  process.exitCode = await runProgram(COMMAND_GROUPS, cli, process.argv.slice(2));
}

main().catch(exitAtFailedStart);
