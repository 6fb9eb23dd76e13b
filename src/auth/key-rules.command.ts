import type { Command } from 'commander';
import { type Cli, JSON_OPTION } from '../platform/cli/cli';
import { UsageError } from '../platform/cli/command-error';
import { readNetworks, readText, readUpTo } from '../platform/cli/option-values';
import { type KeyRules, MOST } from './dto/key-rules';
import { KeyRulesService } from './key-rules.service';
import { showOne } from './show-key';

/** The options of {@link addRuleOptions}; false of those that take a rule away. */
export interface RuleOptions {
  readonly network?: readonly string[] | false;
  readonly limit?: number | false;
  readonly quota?: number | false;
}

/** Gives a command the options that say from where and how often a key may be used. */
export function addRuleOptions(command: Command): Command {
  return command
    .option('--network <cidr>', 'a network it may be used from; may be given several times', readNetworks)
    .option(
      '--limit <requests>',
      'requests it may make in a minute, in place of the common limit',
      readUpTo(MOST.limitPerMinute),
    )
    .option(
      '--quota <requests>',
      'requests it may make in a month of the calendar, in UTC',
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
  readonly owner?: string;
  readonly json?: true;
}

/** `petstore keys update`: from where and how often a key may be used, and whose it is. */
export function addUpdateCommand(keys: Command, cli: Cli): void {
  const update = keys
    .command('update')
    .description(
      'change where an API key may be used from, how often, and its owner; takes effect on every node within 5 seconds',
    )
    .argument('<id>', 'id of the key, such as key_0123456789abcdef');
  addRuleOptions(update)
    .option('--owner <owner>', 'the team or person responsible for the key', readText)
    .option('--no-network', 'let it be used from anywhere')
    .option('--no-limit', 'let the common limit hold for it')
    .option('--no-quota', 'let it make any number of requests in a month')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nWhat is not named stays as it is; networks take the place of those before.\n\nExamples:\n  petstore keys update key_0123456789abcdef --network 192.0.2.0/24 --network 2001:db8::/32\n  petstore keys update key_0123456789abcdef --limit 100 --no-quota --json',
    )
    .action(async (id: string, { json, owner, ...options }: UpdateOptions) => {
      const wanted = { ...rulesIn(options), ...(owner !== undefined && { owner }) };
      if (Object.keys(wanted).length === 0) {
        throw new UsageError(
          'Say what to change: --owner, --network, --limit, --quota, or one of the last three with --no- before it.',
        );
      }
      const changed = await cli.withApp((app) => app.get(KeyRulesService).change(id, wanted));
      showOne(cli, changed, json);
      cli.output.message('The key is changed; every server keeps to it within 5 seconds.');
    });
}
