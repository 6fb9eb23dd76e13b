import { type Command, Option } from 'commander';
import { petstore } from '../platform/config/called-as';
import { type Cli, type CommandGroup, FORM_OPTION, JSON_OPTION } from '../platform/cli/cli';
import { RefusedError } from '../platform/cli/command-error';
import { addFilters, filterValues } from '../platform/cli/filter-options';
import { readDuration, readDurationOrZero, readNames, readText } from '../platform/cli/option-values';
import { printable } from '../platform/cli/table';
import { type Features, recordsOf, scopesOf } from '../platform/features/feature-modules';
import { LastManagingKeyError } from './api-keys.errors';
import { adminScopes } from './auth.scopes';
import { KEY_FILTERS, keyFilter } from './dto/key-filters';
import type { IssuedApiKey, KeyView } from './dto/key-view';
import { addRuleOptions, addKeyUpdateCommand, rulesIn, type RuleOptions } from './key-update.command';
import { showIssued, showOne } from './show-key';
import { withKeys } from './with-keys';

interface CreateOptions extends RuleOptions {
  readonly name: string;
  readonly scopes: string[];
  readonly owner?: string;
  readonly expiresIn?: number;
  readonly json?: true;
}

const SHOWN_ONCE = 'The key is shown only once. Store the key now.';

/**
 * `petstore keys`: makes, shows, changes, rotates, disables and revokes API keys. Works beside a running server.
 *
 * @param features the features whose scopes keys can have
 */
export function keyCommands(features: Features): CommandGroup {
  const scopes = [...new Set([...scopesOf(features), ...adminScopes(recordsOf(features))])];
  return (program, cli) => addKeyCommands(program, cli, scopes);
}

function addKeyCommands(program: Command, cli: Cli, scopes: readonly string[]): void {
  const keys = program
    .command('keys')
    .description('create, show, change, rotate, disable and revoke API keys')
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} keys create --name shop --scopes pets:read,pets:write\n  ${petstore()} keys list`,
    );

  addCreateCommand(keys, cli, scopes);
  addListCommand(keys, cli);
  addShowCommand(keys, cli);
  addKeyUpdateCommand(keys, cli);
  addRotateCommand(keys, cli);
  addDisableCommand(keys, cli);
  addEnableCommand(keys, cli);
  addRevokeCommand(keys, cli);
}

function addCreateCommand(keys: Command, cli: Cli, scopes: readonly string[]): void {
  const create = keys
    .command('create')
    .description('create an API key and show it once')
    .requiredOption('--name <name>', 'what the key is for', readText)
    .requiredOption(
      '--scopes <scopes>',
      `what the key may do, separated by commas: ${scopes.join(', ')}`,
      readNames,
    )
    .option('--owner <owner>', 'the team or person responsible for the key', readText)
    .option(
      '--expires-in <duration>',
      'expire after this long: 30m, 12h, 90d or 2w (default: as late as KEY_MAX_LIFETIME_DAYS allows)',
      readDuration,
    );
  addRuleOptions(create)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} keys create --name shop --scopes pets:read,pets:write\n  ${petstore()} keys create --name audit --scopes pets:read --owner ops@example.com --expires-in 90d --json\n  ${petstore()} keys create --name till --scopes pets:read --network 192.0.2.0/24 --network 2001:db8::/32 --limit 100 --quota 50000`,
    )
    .action(async ({ name, scopes: granted, owner, expiresIn, json, ...rules }: CreateOptions) => {
      const wanted = { name, scopes: granted, ...(owner !== undefined && { owner }), ...rulesIn(rules) };
      const expiresAt = expiresIn === undefined ? undefined : new Date(Date.now() + expiresIn);
      const issued = await withKeys(cli, (service) =>
        service.create({ ...wanted, ...(expiresAt && { expiresAt }) }),
      );
      const { id } = issued.key;
      await cli.output.irreplaceable(() => showIssued(cli, withToken(issued), json), lostKey(id));
      cli.output.message(SHOWN_ONCE);
    });
}

function addListCommand(keys: Command, cli: Cli): void {
  addFilters(
    keys
      .command('list')
      .description('list API keys, oldest first; several options about attention list the keys of each'),
    KEY_FILTERS,
  )
    .option(...JSON_OPTION)
    .option(...FORM_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} keys list\n  ${petstore()} keys list --status active --search shop --json\n  ${petstore()} keys list --never-used --idle`,
    )
    .action(async ({ json, ...options }: { json?: true }) => {
      const filter = keyFilter(filterValues(KEY_FILTERS, options));
      const [views, successors] = await withKeys(cli, async (service) => {
        const found = await service.search(filter, { by: 'created', descending: false });
        return [found, await service.successorsOf(found)] as const;
      });
      if (json) return cli.output.json(views);
      cli.output.table({
        spare: ['CREATED', 'OWNER', 'REPLACED BY'],
        // The end of a leaked key is what a person compares.
        short: { HINT: (hint) => hint.replace(/^.*(?=…)/, '') },
        wrapped: 'SCOPES',
        header: [
          'ID',
          'NAME',
          'HINT',
          'SCOPES',
          'OWNER',
          'STATUS',
          'CREATED',
          'EXPIRES',
          'LAST USED',
          'REPLACED BY',
        ],
        rows: views.map((view) =>
          [
            view.id,
            view.name,
            view.hint,
            view.scopes.join(', '),
            view.owner,
            view.status,
            view.createdAt,
            view.expiresAt,
            view.lastUsedAt,
            successors.get(view.id)?.id,
          ].map((cell) => cell ?? '-'),
        ),
      });
    });
}

function addShowCommand(keys: Command, cli: Cli): void {
  keys
    .command('show')
    .description('show an API key')
    .argument('<id>', 'id of the key, such as key_0123456789abcdef')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExample:\n  ${petstore()} keys show key_0123456789abcdef --json`)
    .action(async (id: string, { json }: { json?: true }) => {
      showOne(cli, await withKeys(cli, (service) => service.show(id)), json);
    });
}

function addRotateCommand(keys: Command, cli: Cli): void {
  keys
    .command('rotate')
    .description('replace an API key with a new one; both work during the overlap')
    .argument('<id>', 'id of the key, such as key_0123456789abcdef')
    .addOption(
      new Option('--overlap <duration>', 'keep the old key working for this long: 0, 30m, 12h or 7d')
        .argParser(readDurationOrZero)
        .default(86_400_000, '1d'),
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} keys rotate key_0123456789abcdef\n  ${petstore()} keys rotate key_0123456789abcdef --overlap 7d --json`,
    )
    .action(async (id: string, { overlap, json }: { overlap: number; json?: true }) => {
      const { predecessor, ...issued } = await withKeys(cli, (service) => service.rotate(id, overlap));
      const successor = withToken(issued);
      await cli.output.irreplaceable(() => {
        if (json) cli.output.json({ ...successor, predecessor });
        else showIssued(cli, successor, undefined);
      }, lostKey(successor.id));
      cli.output.message(`${SHOWN_ONCE} The old key ${id} stops working at ${predecessor.expiresAt}.`);
    });
}

function addDisableCommand(keys: Command, cli: Cli): void {
  keys
    .command('disable')
    .description('disable an API key until it is enabled again; takes effect on every node within 5 seconds')
    .argument('<id>', 'id of the key, such as key_0123456789abcdef')
    .option('--yes', 'do not ask for confirmation, even for the last key that may manage keys')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExample:\n  ${petstore()} keys disable key_0123456789abcdef`)
    .action(async (id: string, { yes, json }: { yes?: true; json?: true }) => {
      const disabled = await withKeys(cli, async (service) => {
        const mustAsk = !yes && cli.output.canAsk && (await service.isLastManaging(id));
        if (mustAsk) await confirmed(cli, `${new LastManagingKeyError(id).message} Disable the key?`);
        return service.disable(id, { evenLast: yes ?? mustAsk });
      });
      showOne(cli, disabled, json);
      cli.output.message('The key is disabled; every node refuses it within 5 seconds.');
    });
}

function addEnableCommand(keys: Command, cli: Cli): void {
  keys
    .command('enable')
    .description('enable a disabled API key; takes effect on every node within 5 seconds')
    .argument('<id>', 'id of the key, such as key_0123456789abcdef')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExample:\n  ${petstore()} keys enable key_0123456789abcdef`)
    .action(async (id: string, { json }: { json?: true }) => {
      showOne(cli, await withKeys(cli, (service) => service.enable(id)), json);
      cli.output.message('The key is enabled; every node accepts it within 5 seconds.');
    });
}

function addRevokeCommand(keys: Command, cli: Cli): void {
  keys
    .command('revoke')
    .description(
      'revoke an API key for good, after a confirmation; takes effect on every node within 5 seconds',
    )
    .argument('<id>', 'id of the key, such as key_0123456789abcdef')
    .option(
      '--yes',
      'do not ask for confirmation; needed without a terminal for the last key that may manage keys',
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nExamples:\n  ${petstore()} keys revoke key_0123456789abcdef\n  ${petstore()} keys revoke key_0123456789abcdef --yes --json`,
    )
    .action(async (id: string, { yes, json }: { yes?: true; json?: true }) => {
      const revoked = await withKeys(cli, async (service) => {
        const { name, status } = await service.show(id);
        const mustAsk = !yes && cli.output.canAsk && status !== 'revoked';
        const isLast = mustAsk && (await service.isLastManaging(id));
        const warning = isLast ? `${new LastManagingKeyError(id).message} ` : '';
        if (mustAsk)
          await confirmed(cli, `${warning}Revoke the API key ${id} (${printable(name)}) for good?`);
        return service.revoke(id, { evenLast: yes ?? isLast });
      });
      showOne(cli, revoked, json);
      cli.output.message('The key is revoked; every node refuses it within 5 seconds.');
    });
}

/** @throws RefusedError when the operator says no */
async function confirmed({ output }: Cli, question: string): Promise<void> {
  if (!(await output.confirm(question))) throw new RefusedError('Nothing was changed.');
}

/** Explains to the operator how to get a secret in place of the one that could not be printed. */
function lostKey(id: string): string {
  return `The API key ${id} was created, but nobody has its secret. To get another: ${petstore()} keys rotate ${id} --overlap 0`;
}

/** A key with its token under `key`, where scripts expect it. */
function withToken({ key: { id, ...others }, token }: IssuedApiKey): KeyView & { readonly key: string } {
  return { id, key: token, ...others };
}
