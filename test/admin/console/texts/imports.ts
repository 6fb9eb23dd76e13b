import { holdJobs } from '../../../support/service/held-jobs';
import { until } from '../../../support/until';
import { type ConsoleResponse, hiddenFields } from '../../../support/service/console';
import { codesIn } from '../support/said';
import type { Said, Visit } from './visit';

const LIST = '/admin/records/pets';
const IMPORT = `${LIST}/import`;
const RUN = `${IMPORT}/run`;
const CSV = 'name,categoryId\nRex,7\nLuna,7\nMilo,seven\n';

/** Chooses a file, and sees what its import would do. */
const preview =
  (content: string | Buffer<ArrayBuffer>, name = 'pets.csv') =>
  async ({ client }: Visit) => {
    const token = hiddenFields((await client.get(IMPORT)).html, IMPORT);
    return client.upload(IMPORT, { ...token, format: '', file: new File([content], name) });
  };

/** Imports a file. @returns the page after that */
const run = (content: string) => async (visit: Visit) => {
  const shown = await preview(content)(visit);
  const done = await visit.client.upload(RUN, hiddenFields(shown.html, RUN));
  return done.location === undefined ? done : visit.client.get(done.location);
};

/** Undoes an import, but for a record that was changed since. @returns the page about it */
const undo = async (visit: Visit, name: string, isEnded: boolean): Promise<ConsoleResponse> => {
  const list = await run(`name,categoryId\n${name} 1,7\n${name} 2,7\n`)(visit);
  const [, id = '0'] =
    /href="\/admin\/records\/pets\/(\d+)"/.exec(list.html.slice(list.html.indexOf('<tbody'))) ?? [];
  await visit.pets.update(BigInt(id), { name: `${name}, changed` });
  const jobs = holdJobs(visit.service);
  const asked = await visit.undo(list);
  if (!isEnded) return asked;
  const [, path = ''] = /href="([^"]*)">View</.exec(asked.html) ?? [];
  const undoing = await visit.client.get(path);
  expect(codesIn(undoing)).toContain('undoing');
  jobs.release();
  await until(async () => codesIn(await visit.client.get(path)).includes('undone'));
  return visit.client.get(path);
};

/** What the pages about imports say. */
export const IMPORTS: readonly Said[] = [
  [
    'the form for a file',
    ({ client }) => client.get(IMPORT),
    ['First you see which rows would be refused, and why. Nothing is added until you confirm.'],
  ],
  ['no file', preview('', ''), ['Choose a file.']],
  [
    'a file without a format',
    preview(CSV, 'pets.txt'),
    ['The file name does not say the format: choose a format.'],
  ],
  ['a file with another header', preview('name,colour\nRex,red\n'), ['Line 1, the header:']],
  ['a file in UTF-16', preview(Buffer.from('\ufeffname', 'utf16le')), ['The file is UTF-16']],
  [
    'a file that is too large',
    preview(Buffer.alloc(2 * 1_048_576 + 1)),
    ['The file is larger than 2 MiB: split it, or import it from the command line.'],
  ],
  [
    'a preview',
    preview(CSV),
    [
      'Nothing has been added yet. Download the refused row below, correct the row, and import the file that you downloaded.',
      'categoryId must be an integer from',
    ],
  ],
  [
    'a preview without a row to add',
    preview('name,categoryId\nMilo,seven\n'),
    ['No row of this file can be added.'],
  ],
  ['a preview of a file with empty rows', preview('name,categoryId\nRex,7\n,\n'), ['Rows 2', 'Empty 1']],
  [
    'a preview of many refused rows',
    preview(`name,categoryId\nRex,7\n${'x\n'.repeat(3_000)}`),
    ['The preview ended after … refused rows: it checked the first … rows of 3,001.'],
  ],
  ['an import', run(CSV), ['2 pets were added. 1 row was refused.']],
  [
    'a preview of a file that was imported before',
    preview(CSV, 'the same.csv'),
    ['the same.csv was imported as pets.csv by key_…, until … in run ….'],
  ],
  ['an import of a file that was imported before', run(CSV), ['Nothing was changed.']],
  [
    'an import that is being undone',
    (visit) => undo(visit, 'first', false),
    ['The import is being undone in the background.'],
  ],
  [
    'an import that was undone',
    (visit) => undo(visit, 'second', true),
    [
      'This import was undone: 1 pet removed, 1 pet left alone.',
      'Left alone by the undo pet …: changed since',
    ],
  ],
];
