#!/usr/bin/env node
import './process/require-node';
import { collectEarly } from './process/frugal-heap';
import './process/compile-cache';
import 'reflect-metadata';
import { exitAtFailedStart } from './process/exit';
import { checkModulePackages } from './process/module-packages';
import { packageVersion } from './platform/config/package-version';

async function main(): Promise<void> {
  // Asked for by scripts, and answered without the packages.
  if (process.argv.length === 3 && process.argv[2] === '--version') {
    process.stdout.write(`${packageVersion()}\n`);
    return;
  }
  collectEarly();
  await checkModulePackages();
  const [{ COMMAND_GROUPS, createCli }, { Output }, { runProgram }] = await Promise.all([
    import('./create-cli.js'),
    import('./platform/cli/output.js'),
    import('./platform/cli/program.js'),
  ]);
  const cli = createCli(new Output(process.stdout, process.stderr));
  process.exitCode = await runProgram(COMMAND_GROUPS, cli, process.argv.slice(2));
}

main().catch(exitAtFailedStart);
