import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { commandGroups } from './create-cli';
import type { Cli } from './platform/cli/cli';
import { CALL_TO_COME, OUTLINE_FILE, outlinesOf } from './platform/cli/command-outline';
import { createProgram } from './platform/cli/program';
import { rememberCall } from './platform/config/called-as';

/** Run at the end of a build: writes the outlines of all commands. */
async function main(): Promise<void> {
  rememberCall(CALL_TO_COME);
  const program = createProgram(await commandGroups(), { output: {} } as Cli);
  const outlines = outlinesOf(program);
  writeFileSync(OUTLINE_FILE, JSON.stringify(outlines));
}

// A module that cannot be loaded is reported by the start, and by the command that is called.
main().catch(() => undefined);
