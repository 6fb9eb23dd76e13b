import type { Said } from './stage';

/** What commands about keys, calls, changes and requests say. */
export const KEYS: readonly Said[] = [
  ['keys create --name shop --scopes pets:read', 'The key is shown only once. Store the key now.'],
  [
    'keys create --name shop --scopes pets:fly',
    'The scope pets:fly does not exist; the scopes are admin:erasures, admin:jobs, admin:keys, admin:pets, admin:read, admin:service, pets:read, pets:write.',
  ],
  [
    'keys create --name shop --scopes pets:read --expires-in 3y',
    "error: option '--expires-in <duration>' argument '3y' is invalid. Write a duration as 30m, 12h, 90d or 2w.",
  ],
  [
    'keys create --name shop --scopes pets:read --network here',
    "error: option '--network <cidr>' argument 'here' is invalid. Write a network as 192.0.2.0/24 or 2001:db8::/32; \"here\" is not one.",
  ],
  [
    "keys create --name ' ' --scopes pets:read",
    "error: option '--name <name>' argument ' ' is invalid. The value must not be empty.",
  ],
  [
    'keys create --name --scopes pets:read',
    "error: option '--name <name>' argument '--scopes' is invalid. The value is missing: this text looks like an option.",
  ],
  ['keys create', "error: required options '--name <name>', '--scopes <scopes>' not specified"],
  ['keys show key_0000000000000000', 'There is no API key key_0000000000000000.'],
  ['keys show <token>', 'There is no API key petk_[redacted].'],
  ['keys update <key> --name till', 'The key was changed; every node applies it within 5 seconds.'],
  [
    'keys update <key>',
    'Say what to change: --name, --owner, --scopes, --expires-in, --network, --limit, --quota, or --no-owner, --no-expiry, --no-network, --no-limit, --no-quota.',
  ],
  ['keys rotate <key>', '… The old key … stops working at ….'],
  ['keys disable <key>', 'The key is disabled; every node refuses it within 5 seconds.'],
  ['keys enable <key>', 'The key is enabled; every node accepts it within 5 seconds.'],
  ['keys revoke <key>', 'The key is revoked; every node refuses it within 5 seconds.'],
  ['report usage --operation nothing', 'There is no operation nothing.'],
  ['audit list --limit 1', 'Next page: --after …'],
  [
    'audit list --limit 10001',
    "error: option '--limit <number>' argument '10001' is invalid. The most is 10000; \"petstore audit export\" writes all changes.",
  ],
  [
    'audit list --subject /1',
    "error: option '--subject <subject>' argument '/1' is invalid. Write the subject as pets or pets/17.",
  ],
  ['audit list --within 999999', 'There is no change 999999.'],
  ['audit export --output audit.ndjson', '… changes were exported.'],
  [
    'audit export --format xml',
    "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are ndjson, csv, spreadsheet.",
  ],
  ['audit subject pets/1', 'Add --json to print the data.'],
  [
    'audit subject pets',
    "error: command-argument value 'pets' is invalid for argument 'subject'. Write the subject as orders/17.",
  ],
  ['audit erase --subject keys/<key> --reason letter --yes', '0 values of keys/… were erased.'],
  [
    'audit erase --subject pets/<removed> --reason letter --yes',
    '0 values of …',
    'No field of pets is marked isPersonal, so the values of pets stay.',
  ],
  ['audit erase --subject pets/1 --reason letter', 'An erasure cannot be undone. Confirm with --yes.'],
  [
    'requests list --status 4xx',
    "error: option '--status <number>' argument '4xx' is invalid. Write the status as 404.",
  ],
  [
    'requests list --limit 1001',
    "error: option '--limit <number>' argument '1001' is invalid. The most is 1000.",
  ],
  [
    'requests list --min-duration x',
    "error: option '--min-duration <ms>' argument 'x' is invalid. Write a whole number of milliseconds.",
  ],
  [
    'requests show nothing',
    'The request log does not contain this request: it keeps a sample of successful requests, and all of them only for some days.',
  ],
];
