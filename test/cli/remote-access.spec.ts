import type { ModuleRef } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { RemoteCommands } from '../../src/admin/remote/remote-commands.service';
import { commandRunner } from '../../src/create-cli';
import { PetsModule } from '../../src/pets/pets.module';
import { ProcessOutput } from '../../src/platform/cli/process-output';
import { remoteScopeOf } from '../../src/platform/cli/remote-access';
import type { Settings } from '../../src/platform/config/settings';
import { createLogger } from '../../src/platform/logging/logger';
import { examplesOf, inertProgram, type Leaf, leavesOf } from './support/command-tree';

/** The scopes that operators can have here. */
const SCOPES = ['admin:read', 'admin:pets', 'admin:keys', 'admin:jobs'];

/** Runs a command as for another machine. Nothing is asked of the application before the command is let through. */
async function run(
  args: readonly string[],
  scopes: readonly string[],
  app = {} as ModuleRef,
  logger = createLogger('silent', { write: () => undefined }),
) {
  const said: string[] = [];
  const stream = {
    on: () => undefined,
    write: (text: string) => said.push(text) > 0,
  } as unknown as NodeJS.WriteStream;
  const output = new ProcessOutput(stream, stream);
  const commands = new RemoteCommands(
    () => Promise.resolve(commandRunner({ PetsModule })),
    app,
    {} as DataSource,
    {} as Settings,
    logger,
  );
  const code = await commands.run(args, output, { scopes: new Set(scopes) }, '4711');
  return { code, said: said.join('') };
}

describe('The commands that people at other machines may run on a server', () => {
  let leaves: Leaf[];
  beforeAll(async () => (leaves = leavesOf(await inertProgram({ PetsModule }))));

  it('are listed here, each with the scope that the console demands for the same', () => {
    const offered = leaves.flatMap(({ path, command }) => {
      const scope = remoteScopeOf(command);
      return scope === undefined ? [] : [`${path}: ${scope}`];
    });
    expect(offered).toEqual([
      'pets list: admin:read',
      'pets get: admin:read',
      'pets history: admin:read',
      'pets export: admin:read',
      'pets create: admin:pets',
      'pets update: admin:pets',
      'pets update-all: admin:pets',
      'pets remove: admin:pets',
      'pets restore: admin:pets',
      'pets undo: admin:pets',
      'keys create: admin:keys',
      'keys list: admin:read',
      'keys show: admin:read',
      'keys update: admin:keys',
      'keys rotate: admin:keys',
      'keys disable: admin:keys',
      'keys enable: admin:keys',
      'keys revoke: admin:keys',
      'report usage: admin:read',
      'report keys: admin:read',
      'report deprecations: admin:read',
      'report brownouts plan: admin:read',
      'report brownouts rehearse: admin:read',
      'audit list: admin:read',
      'audit export: admin:read',
      'requests list: admin:read',
      'requests show: admin:read',
      'find: admin:read',
      'jobs list: admin:read',
      'jobs handlers: admin:read',
      'jobs waiting: admin:read',
      'jobs failed: admin:read',
      'jobs runs: admin:read',
      'jobs stop: admin:jobs',
      'jobs retry: admin:jobs',
      'jobs discard: admin:jobs',
      'jobs run: admin:jobs',
      'read-only status: admin:read',
      'doctor: admin:read',
    ]);
  });

  it('hide the cause of a server error, which the log has', async () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const broken = {
      get: () => {
        throw new Error('the inside of the server');
      },
    };
    const { code, said } = await run(['keys', 'list'], SCOPES, broken as unknown as ModuleRef, logger);
    expect([code, said]).toEqual([
      1,
      'The server met an unexpected fault; its log has the details of request 4711.\n',
    ]);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      requestId: '4711',
      err: { message: 'the inside of the server' },
    });
  });

  it('are refused without their scope, and all others always', async () => {
    for (const leaf of leaves) {
      const scope = remoteScopeOf(leaf.command);
      const [words = []] = examplesOf(leaf);
      const { code, said } = await run(
        words,
        SCOPES.filter((each) => each !== scope),
      );
      expect([code, said]).toEqual([
        4,
        scope === undefined
          ? `petstore ${leaf.path} only works on the machine of the service.\n`
          : `You do not have the scope ${scope}, which this needs.\n`,
      ]);
    }
  });
});
