import type { Command } from 'commander';
import { type Cli, JSON_OPTION } from '../platform/cli/cli';
import { NotFoundError, RefusedError, UsageError } from '../platform/cli/command-error';
import { readDuration, readDurationOrZero, readNames, readText } from '../platform/cli/option-values';
import { ApiKeyNotFound, ApiKeyRefusal, UnfitApiKey } from './api-keys.errors';
import { ApiKeysService } from './api-keys.service';
import type { IssuedApiKey, KeyView } from './dto/key-view';

interface CreateOptions {
  readonly name: string;
  readonly scopes: string[];
  readonly owner?: string;
  readonly expiresIn?: number;
  readonly json?: true;
}

const SHOWN_ONCE = 'This is the only time the key is shown; keep it.';

/** `petstore keys`: makes, shows, rotates and revokes API keys. Works beside a running server. */
export function addKeyCommands(program: Command, cli: Cli): void {
  const keys = program
    .command('keys')
    .description('make, show, rotate and revoke API keys')
    .addHelpText(
      'after',
      '\nExamples:\n  petstore keys create --name shop --scopes pets:read,pets:write\n  petstore keys list',
    );

  keys
    .command('create')
    .description('make an API key and show it once')
    .requiredOption('--name <name>', 'what the key is for', readText)
    .requiredOption('--scopes <scopes>', 'what it may do, separated by commas', readNames)
    .option('--owner <owner>', 'who answers for it', readText)
    .option(
      '--expires-in <duration>',
      'how long it works: 30m, 12h, 90d or 2w (default: for ever)',
      readDuration,
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  petstore keys create --name shop --scopes pets:read,pets:write\n  petstore keys create --name audit --scopes pets:read --owner ops@example.com --expires-in 90d --json',
    )
    .action(async ({ expiresIn, json, ...wanted }: CreateOptions) => {
      const expiresAt = expiresIn === undefined ? undefined : new Date(Date.now() + expiresIn);
      const issued = await withKeys(cli, (service) =>
        service.create({ ...wanted, ...(expiresAt && { expiresAt }) }),
      );
      showOne(cli, withToken(issued), json);
      cli.output.message(SHOWN_ONCE);
    });

  keys
    .command('list')
    .description('list every API key, oldest first')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExamples:\n  petstore keys list\n  petstore keys list --json')
    .action(async ({ json }: { json?: true }) => {
      const views = await withKeys(cli, (service) => service.list());
      if (json) return cli.output.json(views);
      cli.output.table({
        header: ['ID', 'NAME', 'HINT', 'SCOPES', 'OWNER', 'STATUS', 'CREATED', 'EXPIRES', 'LAST USED'],
        rows: views.map((view) =>
          [
            view.id,
            view.name,
            view.hint,
            view.scopes.join(','),
            view.owner,
            view.status,
            view.createdAt,
            view.expiresAt,
            view.lastUsedAt,
          ].map((cell) => cell ?? '-'),
        ),
      });
    });

  keys
    .command('show')
    .description('show one API key')
    .argument('<id>', 'id of the key, as key_0123456789abcdef')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  petstore keys show key_0123456789abcdef --json')
    .action(async (id: string, { json }: { json?: true }) => {
      showOne(cli, await withKeys(cli, (service) => service.show(id)), json);
    });

  keys
    .command('rotate')
    .description('make a successor of an API key; both work for the overlap')
    .argument('<id>', 'id of the key, as key_0123456789abcdef')
    .option(
      '--overlap <duration>',
      'how long the old key still works: 0, 30m, 12h or 7d',
      readDurationOrZero,
      86_400_000,
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExamples:\n  petstore keys rotate key_0123456789abcdef\n  petstore keys rotate key_0123456789abcdef --overlap 7d --json',
    )
    .action(async (id: string, { overlap, json }: { overlap: number; json?: true }) => {
      const { predecessor, ...issued } = await withKeys(cli, (service) => service.rotate(id, overlap));
      const successor = withToken(issued);
      if (json) cli.output.json({ ...successor, predecessor });
      else showOne(cli, successor, undefined);
      cli.output.message(`${SHOWN_ONCE} The old key ${id} ends at ${predecessor.expiresAt}.`);
    });

  keys
    .command('revoke')
    .description('end an API key, everywhere within 5 seconds')
    .argument('<id>', 'id of the key, as key_0123456789abcdef')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  petstore keys revoke key_0123456789abcdef')
    .action(async (id: string, { json }: { json?: true }) => {
      showOne(cli, await withKeys(cli, (service) => service.revoke(id)), json);
      cli.output.message('The key is revoked; every server refuses it within 5 seconds.');
    });
}

/** Runs work on the keys; what the service refuses becomes an exit code. */
async function withKeys<T>(cli: Cli, work: (keys: ApiKeysService) => Promise<T>): Promise<T> {
  try {
    return await cli.withApp((app) => work(app.get(ApiKeysService)));
  } catch (error) {
    if (error instanceof ApiKeyNotFound) throw new NotFoundError(error.message);
    if (error instanceof UnfitApiKey) throw new UsageError(error.message);
    if (error instanceof ApiKeyRefusal) throw new RefusedError(error.message);
    throw error;
  }
}

/** A key with its token, which stands where scripts find it. */
function withToken({ key: { id, ...others }, token }: IssuedApiKey): KeyView & { readonly key: string } {
  return { id, key: token, ...others };
}

function showOne(cli: Cli, view: KeyView, json: true | undefined): void {
  if (json) return cli.output.json(view);
  cli.output.table({
    header: ['MEMBER', 'VALUE'],
    rows: Object.entries(view).map(([member, value]: [string, string | readonly string[] | null]) => [
      member,
      Array.isArray(value) ? value.join(',') : ((value as string | null) ?? '-'),
    ]),
  });
}
