import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultOf } from '../../../../test/support/processes/command.ts';
import type { TestService } from '../../../../test/support/service/service.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { snippetsIn } from './readme.ts';

const PROJECT = join(__dirname, '..', '..', '..', '..');

/** A program that does everything a client has to be able to do. */
export const ESSENTIALS = join(__dirname, 'essentials.mjs');

/** Bytes after which the first connections are cut: a request has 300 to 600, its response as many. */
const CUT_AFTER = [300, 500, 700, 900];

/** Runs a command that has to succeed. @returns its output */
export async function succeed(
  cwd: string,
  env: Readonly<Record<string, string>>,
  command: string,
  ...args: readonly string[]
): Promise<string> {
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const result = await resultOf(child);
  expect({ ...result, command }).toMatchObject({ code: 0 });
  return result.stdout;
}

/** Settings of npm by which a command asks no registry. */
const NO_REGISTRY = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };

/** Makes a project of a folder, with the client as its source code is now. */
export async function installClient(folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const pack = ['pack', '--silent', '--workspace', '@petstore/client', '--pack-destination', folder];
  const file = (await succeed(PROJECT, NO_REGISTRY, 'npm', ...pack)).trim();
  await succeed(folder, NO_REGISTRY, 'npm', 'install', `./${file}`);
}

/** Makes a project of a folder, with the client as a service serves it, by the command of the README. */
export async function installServedClient(folder: string, { url }: TestService): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const [install = ''] = snippetsIn('sh').map(({ text }) => text);
  // npm asks the service; any other request would meet a registry that is not there.
  const npm = { ...NO_REGISTRY, npm_config_offline: 'false', npm_config_registry: 'http://127.0.0.1:9' };
  await succeed(folder, npm, 'bash', '-ec', install.replace('http://127.0.0.1:3000', url));
}

/**
 * Runs {@link ESSENTIALS} against a service. The command is the runtime, its options, the program, and the module that the
 * program imports.
 */
export async function expectEssentials(
  { url, key, port }: TestService,
  cwd: string,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const proxy = await CuttingProxy.start(port, (cuts) => CUT_AFTER[cuts]);
  try {
    const addresses = { PETSTORE_URL: url, PETSTORE_CUT_URL: proxy.url, PETSTORE_API_KEY: key };
    // A runtime may end without an error before the program is done.
    expect(await succeed(cwd, { ...addresses, ...env }, command, ...args)).toBe('done\n');
    expect(proxy.cuts).toBeGreaterThanOrEqual(CUT_AFTER.length - 1);
  } finally {
    await proxy.stop();
  }
}
