import './process/require-node';
import { collectEarly } from './process/frugal-heap';
import './process/compile-cache';
import './process/packages';
import 'reflect-metadata';
import { exitAtFailedStart } from './process/exit';
import { checkModulePackages } from './process/module-packages';
import { useService } from './own-service';
import { commandLineEnvironment } from './platform/config/command-line-environment';
import { buildName } from './platform/config/package-version';

/** Milliseconds for which connections to a server that hangs may keep the process alive. */
const LINGER_MS = 250;

/**
 * Carries out the command that this process was called with, and sets its exit code.
 *
 * @param features loads the features, as for `serve()`
 */
export function runCommands(features: () => unknown): void {
  useService(features);
  run().catch(exitAtFailedStart);
}

async function run(): Promise<void> {
  // Scripts ask for the version; no package is loaded for that.
  if (process.argv.length === 3 && process.argv[2] === '--version') {
    process.stdout.write(`${buildName()}\n`);
    return;
  }
  await checkModulePackages();
  const [
    { Output },
    { calledAs, rememberCall },
    { commandGroups, createCli },
    { runProgram },
    { runOutlined },
  ] = await Promise.all([
    import('./platform/cli/output.js'),
    import('./platform/config/called-as.js'),
    import('./create-cli.js'),
    import('./platform/cli/program.js'),
    import('./process/outlined-commands.js'),
  ]);
  const { script, variables } = commandLineEnvironment();
  rememberCall(calledAs(process.argv[1] ?? '', script, variables.PATH ?? ''));
  const args = process.argv.slice(2);
  const cli = createCli(new Output(process.stdout, process.stderr), collectEarly);
  const work = async () => runProgram(await commandGroups(args), cli, args);
  process.exitCode = await runOutlined(cli, args, work);
  if (args[0] === 'doctor') setTimeout(() => process.exit(), LINGER_MS).unref();
}
