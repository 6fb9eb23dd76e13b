import type { Command } from 'commander';
import { petstore } from '../platform/config/called-as';
import { type Cli, JSON_OPTION } from '../platform/cli/cli';
import { UsageError } from '../platform/cli/command-error';
import { readDuration, readNames, readNetworks, readText, readUpTo } from '../platform/cli/option-values';
import { type KeyRules, MOST } from './dto/key-rules';
import { type ChangedKey, KeyUpdates } from './key-updates.service';
import { showOne } from './show-key';
import { withKeys } from './with-keys';

/** The options of {@link addRuleOptions}; false for an option that removes a rule. */
export interface RuleOptions {
  readonly network?: readonly string[] | false;
  readonly limit?: number | false;
  readonly quota?: number | false;
}

/** Adds the options for networks and limits of a key to a command. */
export function addRuleOptions(command: Command): Command {
  return command
    .option(
      '--network <cidr>',
      'network that the key may be used from; repeat the option for more networks',
      readNetworks,
    )
    .option(
      '--limit <requests>',
      'requests a minute for the key, instead of the common limit',
      readUpTo(MOST.limitPerMinute),
    )
    .option(
      '--quota <requests>',
      'requests a calendar month (UTC) for the key',
      readUpTo(MOST.quotaPerMonth),
    );
}

/** The rules that options ask for. */
export function rulesIn({ network, limit, quota }: RuleOptions): Partial<KeyRules> {
  return {
    ...(network !== undefined && { networks: network || [] }),
    ...(limit !== undefined && { limitPerMinute: limit || null }),
    ...(quota !== undefined && { quotaPerMonth: quota || null }),
  };
}

interface UpdateOptions extends RuleOptions {
  readonly name?: string;
  readonly owner?: string | false;
  readonly scopes?: string[];
  readonly expiresIn?: number;
  /** False with `--no-expiry`. */
  readonly expiry: boolean;
  readonly yes?: true;
  readonly json?: true;
}

/** `petstore keys update`: changes the name, owner, scopes, networks, limits and end of a key. */
export function addKeyUpdateCommand(keys: Command, cli: Cli): void {
  const update = keys
    .command('update')
    .description(
      'change the name, owner, scopes, expiry, networks and limits of an API key; takes effect on every node within 5 seconds',
    )
    .argument('<id>', 'id of the key, such as key_0123456789abcdef')
    .option('--name <name>', 'what the key is for', readText)
    .option('--owner <owner>', 'the team or person responsible for the key', readText)
    .option('--scopes <scopes>', 'new scopes, separated by commas, which replace the old scopes', readNames)
    .option('--expires-in <duration>', 'expire after this long: 30m, 12h, 90d or 2w', readDuration);
  addRuleOptions(update)
    .option('--no-owner', 'remove the owner')
    .option('--no-expiry', 'let the key expire as late as KEY_MAX_LIFETIME_DAYS allows')
    .option('--no-network', 'allow the key from every network')
    .option('--no-limit', 'apply the common limit')
    .option('--no-quota', 'remove the monthly quota')
    .option('--yes', 'confirm that no key is left that may manage keys')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `\nWhat no option names stays as before. New networks and scopes replace the old.\n\nExamples:\n  ${petstore()} keys update key_0123456789abcdef --name till --scopes pets:read --expires-in 90d\n  ${petstore()} keys update key_0123456789abcdef --network 192.0.2.0/24 --network 2001:db8::/32\n  ${petstore()} keys update key_0123456789abcdef --limit 100 --no-quota --no-expiry --json`,
    )
    .action(async (id: string, { yes, json, ...options }: UpdateOptions) => {
      const wanted = changesIn(options);
      if (Object.keys(wanted).length === 0) {
        throw new UsageError(
          'Say what to change: --name, --owner, --scopes, --expires-in, --network, --limit, --quota, or --no-owner, --no-expiry, --no-network, --no-limit, --no-quota.',
        );
      }
      const changed = await withKeys(cli, (_keys, app) =>
        app.get(KeyUpdates).change(id, wanted, { evenLast: yes === true }),
      );
      showOne(cli, changed, json);
      cli.output.message('The key was changed; every node applies it within 5 seconds.');
    });
}

function changesIn({ name, owner, scopes, expiresIn, expiry, ...rules }: UpdateOptions): Partial<ChangedKey> {
  return {
    ...rulesIn(rules),
    ...(name !== undefined && { name }),
    ...(owner !== undefined && { owner: owner || null }),
    ...(scopes && { scopes }),
    ...(!expiry && { expiresAt: null }),
    ...(expiresIn !== undefined && { expiresAt: new Date(Date.now() + expiresIn) }),
  };
}
