#!/usr/bin/env node
import './process/require-node';
import { collectEarly } from './process/frugal-heap';
import './process/compile-cache';
import './process/packages';
import 'reflect-metadata';
import { exitAtFailedStart } from './process/exit';
import { checkModulePackages } from './process/module-packages';
import { commandLineEnvironment } from './platform/config/command-line-environment';
import { buildName } from './platform/config/package-version';

/** Milliseconds for which connections to a server that hangs may keep the process alive. */
const LINGER_MS = 250;

async function main(): Promise<void> {
  // Scripts ask for the version; no package is loaded for that.
  if (process.argv.length === 3 && process.argv[2] === '--version') {
    process.stdout.write(`${buildName()}\n`);
    return;
  }
  await checkModulePackages();
  const [{ ProcessOutput }, { calledAs }, { readChoice }] = await Promise.all([
    import('./platform/cli/process-output.js'),
    import('./platform/config/called-as.js'),
    import('./platform/cli/remote/server-choice.js'),
  ]);
  const environment = commandLineEnvironment();
  const call = calledAs(process.argv[1] ?? '', environment.script, environment.variables.PATH ?? '');
  const output = new ProcessOutput(process.stdout, process.stderr, call);
  const { server, args } = readChoice(process.argv.slice(2), environment);
  if (server !== undefined) {
    const { runRemotely } = await import('./platform/cli/remote/run-remotely.js');
    process.exitCode = await runRemotely(server, args, output);
    return;
  }
  const [{ commandGroups, createCli }, { runProgram }, { runOutlined }] = await Promise.all([
    import('./create-cli.js'),
    import('./platform/cli/program.js'),
    import('./process/outlined-commands.js'),
  ]);
  const cli = createCli(output, collectEarly);
  const run = async () => runProgram(await commandGroups(args), cli, args);
  process.exitCode = await runOutlined(cli, args, run);
  if (args[0] === 'doctor') setTimeout(() => process.exit(), LINGER_MS).unref();
}

main().catch(exitAtFailedStart);
