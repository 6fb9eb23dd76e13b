import type { Said } from './stage';

/** What commands about records say. */
export const RECORDS: readonly Said[] = [
  ['pets create --name Rex --category-id 1', 'The pet … was added.'],
  ["pets create --name Rex --category-id ''", '--category-id: categoryId is required.'],
  ['pets update <pet> --status sold', 'The pet … was changed.'],
  ['pets update <pet>', 'Say what to change: --name, --category-id, --status.'],
  [
    'pets update <pet> --name x --if-version AAAA',
    'The pet … was changed meanwhile by cli:…. Check it again before you change it.',
  ],
  [
    'pets update <pet> --name x --if-version *',
    "error: option '--if-version <version>' argument '*' is invalid. Copy the version from the output of show.",
  ],
  ['pets update <removed> --name x', 'The pet … was removed by cli:….'],
  ['pets remove <pet> --yes', 'The pet … was removed.'],
  ['pets remove <removed> --yes', 'The pet … was removed by cli:….'],
  ['pets remove <pet> <pet> --yes', '2 pets were removed.', 'To undo: petstore pets undo …'],
  ['pets remove <pet> 999999 --yes', '… Nothing was changed.'],
  ['pets remove <pet> <pet> --yes --if-version AAAA', '--if-version is for one pet.'],
  ['pets restore <removed>', 'The pet … was restored.'],
  ['pets restore <pet>', 'The pet … is not removed.'],
  ['pets show 999999', 'There is no pet 999999.'],
  ['pets show one', "error: command-argument value 'one' is invalid for argument 'id'. An id is an integer."],
  ['pets list --limit 1', 'Next page: --after 1'],
  [
    'pets list --limit 0',
    "error: option '--limit <count>' argument '0' is invalid. Write a whole number from 1 to 999999999999.",
  ],
  [
    'pets list --category-id 1.5',
    '--category-id: categoryId must be an integer from -9223372036854775808 to 9223372036854775807.',
  ],
  ['pets list --status gone', '--status: status must be one of available, pending, sold.'],
  ['pets list --sort colour', '--sort: pets can be sorted by id, createdAt, categoryId, status, name.'],
  [
    'pets list --from yesterday',
    "error: option '--from <instant>' argument 'yesterday' is invalid. Write a time as 2026-01-31 or 2026-01-31T12:00:00Z.",
  ],
  [
    'pets list --from a=2026-01-01',
    "error: option '--from <instant>' argument 'a=2026-01-01' is invalid. Write the time alone.",
  ],
  [
    'pets list --removed maybe',
    "error: option '--removed <which>' argument 'maybe' is invalid. Allowed choices are without, only, with.",
  ],
  ['pets history <pet> --limit 1', 'Changes by API clients are only known since ….'],
  [
    'pets history <pet> --after 12',
    "error: option '--after <place>' argument '12' is invalid. Copy the value from the line \"Next page\".",
  ],
  [
    'pets update-all --name <three> --set-status sold --yes',
    '3 pets match; 3 were changed.',
    'To undo: petstore pets undo …',
  ],
  [
    'pets update-all --name <three> --set-status sold --expect 4',
    '3 pets match now, not 4. Check them again.',
  ],
  [
    'pets update-all --name <three> --set-status sold --expect many',
    "error: option '--expect <count>' argument 'many' is invalid. Write a whole number.",
  ],
  [
    'pets update-all --name <three> --set-status sold',
    'Confirm with --yes, or give the number of records with --expect.',
  ],
  ['pets update-all --name <three>', 'Say what to change: --set-name, --set-category-id, --set-status.'],
  ['pets undo <change>', 'The change of 1 pet was undone.'],
  ['pets undo 999999', 'No change 999999 of pets is recorded.'],
  ['pets export --id <pet> --output one.csv', '1 pet was written to one.csv.'],
  ['pets export --output odd.csv', 'The file odd.csv already exists; choose another file.'],
  [
    'pets export --output nowhere/pets.csv',
    'The file nowhere/pets.csv cannot be written: ENOENT, no such file or directory.',
  ],
  ['pets import <csv>', '3 rows: 3 imported, 0 refused.', 'To undo: petstore pets undo-import …'],
  ['pets import <csv> --dry-run', '3 rows: 3 would be imported, 0 refused.'],
  [
    'pets import fixable.csv --rejects refused.csv',
    '2 rows: …',
    'To undo: …',
    'The refused row is in refused.csv, with the reason.',
  ],
  [
    'pets import fixable.csv --rejects fixable.csv',
    'fixable.csv is the file to import; choose another for the refused rows.',
  ],
  ['pets import no.csv', "no.csv cannot be read: ENOENT: no such file or directory, stat 'no.csv'."],
  ['pets import odd.txt', 'The format of odd.txt is unknown: add --format csv or --format ndjson.'],
  ['pets import odd.csv', 'Line 1, the header: pets have no "colour"; they have name, categoryId, status.'],
  ['pets import bad.csv', 'Line 3: …', '2 rows: …', 'To undo: …', 'The refused row is listed above.'],
  ['pets import nameless.csv', '1 row: …', 'Line 2 has an empty name.', 'To undo: …'],
  [
    'pets import rest.csv',
    '… was imported as nameless.csv by cli:…, until …: 1 row, in run …. Nothing was changed. Add --again to import the file again.',
  ],
  ['pets undo-import <import>', '3 pets of import … were removed.'],
  ['pets undo-import 987654', 'There is no import 987654 of pets.'],
];
