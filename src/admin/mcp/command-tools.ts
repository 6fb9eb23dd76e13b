import { ArgumentError, type CallOutcome } from '../../../packages/tools/src/mcp/call-operation';
import type { OfferedTool } from '../../../packages/tools/src/mcp/serve-operations';
import { type CommandOutline, readOutlines, type WordOutline } from '../../platform/cli/command-outline';
import { ExitCode } from '../../platform/cli/command-error';
import { RemoteServer } from '../../platform/cli/remote/remote-server';
import { readServer } from '../../platform/cli/remote/server-address';
import { findSession } from '../../platform/cli/remote/stored-session';

/** Scope of the commands that become tools: they only read. */
const READING = 'admin:read';

/** Time limit for a command, in milliseconds. */
const TIME_LIMIT_MS = 30_000;

/** Flags of an option that names a file. */
const FILE = /file[>\]]/;

/** Most characters of a result that a model is given. */
const MAX_RESULT = 100_000;

/** Instructions for an assistant about the tools of {@link commandTools}. */
export const INSTRUCTIONS =
  'find, doctor and the tools with an underscore in their name read what operators see: find finds records, keys, requests and changes by a number, name or id, doctor says what is wrong with the service and what to do, requests_list and requests_show say what became of requests and why, report_usage who calls what, pets_history and audit_list who changed what, jobs_failed and jobs_waiting which events were not handled. Ask for few rows first; times are UTC.';

/** A server that commands are run on, with the session of the person there, or else their API key. */
interface CommandServer {
  /** Web origin of the console. */
  readonly origin: string;
  readonly token: string;
}

/** Reads the address of a console. @throws UsageError when the key could be overheard there */
export async function commandServer(address: string, apiKey: string): Promise<CommandServer> {
  const origin = readServer(address);
  return { origin, token: (await findSession(origin))?.token ?? apiKey };
}

/** Makes a tool of each command that only reads and may be run on a server; none without a build. */
export function commandTools(server: CommandServer): OfferedTool[] {
  return readingCommands(readOutlines() ?? []).map(([words, outline]) => toolOf(words, outline, server));
}

/**
 * Asks the server whether the key may read there.
 *
 * @returns what the server says if not
 */
export async function faultAt(server: CommandServer): Promise<string | undefined> {
  const outcome = await run(server, ['read-only', 'status', '--json'], new AbortController().signal);
  return outcome.isError ? outcome.texts.join(' ') : undefined;
}

function readingCommands(
  outlines: readonly CommandOutline[],
  above: readonly string[] = [],
): [string[], CommandOutline][] {
  return outlines.flatMap((outline) => {
    const words = [...above, outline.name];
    const below = readingCommands(outline.commands, words);
    return isTool(outline) ? [[words, outline], ...below] : below;
  });
}

/** An export, which may have any number of rows, is for a file. */
function isTool({ scope, options }: CommandOutline): boolean {
  return (
    scope === READING &&
    options.some(({ flags }) => flags === '--json') &&
    !options.some(({ flags }) => FILE.test(flags))
  );
}

/** An option or argument as a property of a tool. */
interface Property {
  readonly name: string;
  readonly isOption: boolean;
  readonly isSwitch: boolean;
  readonly isRequired: boolean;
  readonly isList: boolean;
}

function toolOf(words: readonly string[], outline: CommandOutline, server: CommandServer): OfferedTool {
  const given = [...outline.arguments, ...outline.options].filter(({ flags }) => flags !== '--json');
  const properties = given.map((word) => [propertyOf(word), word] as const);
  return {
    name: words.join('_').replaceAll('-', '_'),
    description: `${outline.description.charAt(0).toUpperCase()}${outline.description.slice(1)}.`,
    writes: false,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        properties.map(([property, word]) => [property.name, schemaOf(property, word)]),
      ),
      required: properties.filter(([{ isRequired }]) => isRequired).map(([{ name }]) => name),
    },
    call: (values, signal) =>
      run(
        server,
        [
          ...words,
          ...argsOf(
            values,
            properties.map(([property]) => property),
          ),
        ],
        signal,
      ),
  };
}

function propertyOf({ flags }: WordOutline): Property {
  const [, option] = /--([\w-]+)/.exec(flags) ?? [];
  const [, argument = ''] = /^[<[]([\w-]+)/.exec(flags) ?? [];
  return {
    name: option ?? argument,
    isOption: option !== undefined,
    isSwitch: option !== undefined && !/[<[]/.test(flags),
    isRequired: option === undefined && flags.startsWith('<'),
    isList: flags.includes('...'),
  };
}

function schemaOf({ isSwitch, isList }: Property, { description, choices, defaultText }: WordOutline) {
  const text = defaultText === undefined ? description : `${description} (default: ${defaultText})`;
  if (isSwitch) return { type: 'boolean', description: text };
  const one = { type: 'string', ...(choices && { enum: choices }) };
  return isList ? { type: 'array', items: one, description: text } : { ...one, description: text };
}

/** @throws ArgumentError */
function argsOf(values: Readonly<Record<string, unknown>>, properties: readonly Property[]): string[] {
  const unknown = Object.keys(values).find((name) => !properties.some((property) => property.name === name));
  if (unknown !== undefined) throw new ArgumentError(`There is no argument ${unknown}.`);
  const options: string[] = [];
  const others: string[] = [];
  for (const { name, isOption, isSwitch, isRequired } of properties) {
    const value = values[name];
    if (value === undefined || value === null || value === false) {
      if (isRequired) throw new ArgumentError(`${name} is missing.`);
      continue;
    }
    for (const one of Array.isArray(value) ? value : [value]) {
      if (!['string', 'number', 'boolean'].includes(typeof one))
        throw new ArgumentError(`${name} must be a text.`);
      // One word, so that no value is taken for another option.
      if (isOption) options.push(isSwitch ? `--${name}` : `--${name}=${one}`);
      else others.push(String(one));
    }
  }
  return [...options, '--json', ...(others.length > 0 ? ['--', ...others] : [])];
}

async function run(
  { origin, token }: CommandServer,
  args: readonly string[],
  signal: AbortSignal,
): Promise<CallOutcome> {
  const terminal = { isTerminal: false, hasColours: false, columns: null, canAsk: false };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  let out = '';
  let said = '';
  let exitCode: ExitCode = ExitCode.failed;
  try {
    const lines = new RemoteServer(origin).run(token, { args, terminal, confirmed: [] }, limit);
    for await (const line of lines) {
      if ('out' in line) out += line.out;
      else if ('say' in line) said += line.say;
      else if ('exitCode' in line) ({ exitCode } = line);
      if (out.length > MAX_RESULT) {
        return {
          texts: [
            `The result is longer than ${MAX_RESULT} characters: ask for less, with a limit or a filter.`,
          ],
          isError: true,
        };
      }
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      texts: [
        limit.aborted
          ? `${origin} took longer than ${TIME_LIMIT_MS / 1_000} seconds.`
          : (error as Error).message,
      ],
      isError: true,
    };
  }
  const isError = exitCode !== ExitCode.done;
  const texts = [out, ...(isError ? [said] : [])].map((text) => text.trimEnd()).filter((text) => text !== '');
  return { texts, isError };
}
