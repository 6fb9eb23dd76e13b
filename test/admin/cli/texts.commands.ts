import { createTestDatabase, type TestDatabase } from '../../support/databases/databases';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { screenOf } from './support/screen';
import { KEYS } from './texts/keys';
import { OPERATIONS } from './texts/operations';
import { RECORDS } from './texts/records';
import { type Said, Stage } from './texts/stage';

/** Questions before a command changes anything. */
const QUESTIONS: readonly Said[] = [
  ['pets remove <pet>', 'Remove the pet …? [y/N]'],
  ['pets remove <pet> <pet>', 'Remove 2 pets? [y/N]'],
  [
    'pets update-all --name <three> --set-status sold',
    '3 pets match. Set status to "sold" on all of them? [y/N]',
  ],
  ['pets undo-import <import>', 'Remove the pets that import … added? [y/N]'],
  ['keys revoke <key>', 'Revoke the API key … (shop) for good? [y/N]'],
  [
    'keys disable <manager>',
    'The API key … is the last active key that may manage keys in the console. Without this key, only the command line on the machine of the service can create another. Disable the key? [y/N]',
  ],
  ['audit erase --subject keys/<key> --reason x', 'Erase the personal data of keys/… for good? [y/N]'],
  ['db revert', 'Revert …, and lose the data of its tables? [y/N]'],
];

/** What the checks of doctor find beside a new database. */
const DOCTOR: readonly Said[] = [
  ['settings', 'The settings are valid. Set: …, DATABASE_URL, DATABASE_STATEMENT_TIMEOUT_MS.'],
  ['migrations', 'All … migrations are applied.'],
  ['disk', '… is writable and has … free.'],
  ['clock', '…; no file is newer.'],
  ['port', 'Port … on 127.0.0.1 is free: nothing listens there.'],
  ['keys', 'There are no API keys, so no client can call the service.'],
  ['readOnly', 'Writes are accepted.'],
  ['openFiles', 'A process may open … files.'],
];

/** What follows every wrong usage. */
const HINT = '(--help explains the command)';

/**
 * The sentences of the command line, each once. Every other test finds what it looks for by exit code, column, name or value, so
 * a sentence that has become better is changed here alone. Checks of `doctor` and faults of settings have theirs beside them.
 */
describe('The command line says', () => {
  let database: TestDatabase;
  let stage: Stage;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    const cli = new CliInProcess({ DATABASE_URL: database.url });
    await cli.run('db', 'migrate');
    stage = new Stage(cli, database);
  });
  afterAll(() => database.drop());

  it.each(DOCTOR)('of %s in doctor what it should', async (name, sentence) => {
    const { of } = await stage.doctor();
    expect(of(name).map(({ found }) => found)).toEqual([expect.stringMatching(patternOf(sentence))]);
  });

  it.each([...RECORDS, ...KEYS, ...OPERATIONS])('after %s what it should', async (command, ...sentences) => {
    const { stderr } = await stage.run(command);
    const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Database: '));
    const said = sentences.includes(HINT) ? lines : lines.filter((line) => line !== HINT);
    expect(said).toEqual(sentences.map((sentence) => expect.stringMatching(patternOf(sentence)) as string));
  });

  it.each(QUESTIONS)('before %s what it is about to do', async (command, question) => {
    const { code, stdout } = await stage.decline(command);
    const lines = await screenOf(stdout, 200);
    expect(lines).toContainEqual(expect.stringMatching(patternOf(question, '')));
    expect([code, lines.at(-1)]).toEqual([4, expect.stringMatching(/^Nothing was (?:changed|erased)\.$/)]);
  });
});

/** Matches a sentence whose values are written as `…`. */
function patternOf(sentence: string, end = '$'): RegExp {
  return new RegExp(`^${sentence.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*')}${end}`);
}
