import { type Command, Option } from 'commander';
import type { Cli } from '../../platform/cli/cli';
import { CommandError } from '../../platform/cli/command-error';
import { interruptible } from '../../platform/cli/interruption';
import { readId, readText } from '../../platform/cli/option-values';
import type { AuditEntry } from './audit-trail.service';
import { type ContinuedFile, continueFile } from './continued-file';
import { asLines, type EventFormat, idInLine } from './event-lines';
import { FollowedEvents } from './followed-events.service';

interface FollowOptions {
  readonly after?: bigint;
  readonly format: EventFormat;
  readonly append?: string;
  readonly once?: boolean;
}

/**
 * `petstore audit follow`. It is not offered on a server: a stream would outlive the session or key that began it. There each
 * page of `/audit-events` is asked for with its own authentication.
 */
export function addFollowCommand(program: Command, cli: Cli): void {
  const audit = program.commands.find((command) => command.name() === 'audit');
  audit
    ?.command('follow')
    .description('write changes as they are made, oldest first, until Ctrl+C')
    .option('--after <id>', 'only changes after the one with this id (default: all that are kept)', readId)
    .addOption(
      new Option('--format <format>', 'NDJSON, or NDJSON of OCSF 1.3 events')
        .choices(['ndjson', 'ocsf'])
        .default('ndjson'),
    )
    .option('--append <file>', 'file to continue after the last change in it', readText)
    .option('--once', 'end when all changes made so far are written')
    .addHelpText(
      'after',
      '\nA reader continues by the id of the last change that it has: its id, or metadata.uid in OCSF. No change is missed, and\ntheir order is kept.\n\nExit code 3 when the log has no change with this id, 4 when changes after it have been removed.\n\nExamples:\n  petstore audit follow --append /var/log/petstore/audit.ndjson\n  petstore audit follow --after 4711\n  petstore audit follow --format ocsf --once > audit.ocsf.ndjson',
    )
    .action(async ({ append, ...options }: FollowOptions) => {
      if (append === undefined) {
        await follow(cli, options, (texts) => cli.output.stream(texts));
        return;
      }
      const file = await continueFile(append);
      try {
        const after = lastId(file, append, options.format) ?? options.after;
        await follow(cli, { ...options, after }, async (texts) => {
          for await (const text of texts) await file.append(text);
        });
      } finally {
        await file.close();
      }
    });
}

/** @param write takes the lines as they come */
async function follow(
  cli: Cli,
  { after, format, once }: Omit<FollowOptions, 'append' | 'after'> & { readonly after?: bigint | undefined },
  write: (texts: AsyncIterable<string>) => Promise<void>,
): Promise<void> {
  await interruptible((signal) =>
    cli.withApp(
      (app) => write(lines(app.get(FollowedEvents).follow({ after, isOnce: once, signal }), format)),
      undefined,
      { changesNothing: true },
    ),
  );
}

async function* lines(pages: AsyncIterable<AuditEntry[]>, format: EventFormat): AsyncGenerator<string> {
  for await (const entries of pages) yield asLines(entries, format);
}

/** @throws CommandError if the file has something else than changes in this format */
function lastId({ lastLine }: ContinuedFile, file: string, format: EventFormat): bigint | undefined {
  if (lastLine === undefined) return undefined;
  const id = idInLine(lastLine, format);
  if (id === undefined) {
    throw new CommandError(`The last line of ${file} is not a change in the format ${format}.`);
  }
  return id;
}
