import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CommandResult } from '../../../../test/support/processes/command.ts';
import type { Request } from './generator.ts';

process.on('message', (request: Request) => {
  void run(request).then((result) => process.send?.(result));
});

async function run({ program, folder, args, number }: Request): Promise<CommandResult> {
  const words = process.argv;
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    mock.method(process[name], 'write', (text: string) => {
      written[name] += text;
      return true;
    });
  }
  process.chdir(folder);
  process.argv = [...words.slice(0, 2), ...args];
  try {
    // Its top level runs the command line, so each run imports it anew.
    await import(`${pathToFileURL(program).href}?${number}`);
    return { code: Number(process.exitCode), ...written };
  } catch (error) {
    return { code: 1, ...written, stderr: `${written.stderr}${(error as Error).stack}` };
  } finally {
    mock.restoreAll();
    process.argv = words;
    process.exitCode = undefined;
  }
}
