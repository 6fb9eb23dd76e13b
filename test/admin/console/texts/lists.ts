import type { Said, Visit } from './visit';

const LIST = '/admin/records/pets';

const list = (query: string) => (visit: Visit) => visit.client.get(`${LIST}${query}`);

const save = (query: string, name: string) => async (visit: Visit) => {
  const page = await visit.client.get(`${LIST}${query}`);
  const [, path = ''] = /href="([^"]*\/views\/new[^"]*)"/.exec(page.html) ?? [];
  return visit.send(path.replaceAll('&amp;', '&'), undefined, { name });
};

/** Opens a page as if so many records had been counted. */
const counted = (path: string, count: number, isWhole: boolean) => async (visit: Visit) => {
  const estimate = jest.spyOn(visit.records, 'estimate').mockResolvedValueOnce({ count, isWhole });
  const page = await list(path)(visit);
  estimate.mockRestore();
  return page;
};

/** What lists of records and saved views say. */
export const LISTS: readonly Said[] = [
  [
    'a list that no record matches',
    list('?name=none'),
    ['No pets match No pet matches all of these filters.'],
  ],
  [
    'a list with a filter that is not valid',
    list('?status=gone&added-from=31.1.2026&categoryId=1.5'),
    [
      'A filter is not valid Correct the filters marked above, or show all pets.',
      'There are 3 problems',
      'Status must be one of available, pending, sold.',
      'Added from must be a date such as 2026-01-31.',
      'Category id must be a whole number of at most 64 bits.',
    ],
  ],
  [
    'a list with a filter that it does not have',
    list('?nmae=Rex'),
    [
      'There is a problem The address of this page contains the filter “nmae”, which this list does not have.',
    ],
  ],
  [
    'a list with a filter twice',
    list('?name=a&name=b'),
    ['The address of this page contains the filter “name” twice.'],
  ],
  [
    'a list in no order',
    list('?sort-by=removedAt'),
    ['The list cannot be sorted as the address of this page says.'],
  ],
  [
    'a page of a list that is none',
    list('?page-after=WyIxIl0x'),
    ['The address of this page contains an invalid page of the list.'],
  ],
  [
    'a page of a list after a record that is gone',
    list('?page-after=WyI5OTk5OTkiXQ'),
    ['The record that this page of the list begins with no longer exists.'],
  ],
  ['a view without a name', save('?status=sold', ' '), ['Give the view a name.']],
  ['a view with a long name', save('?status=sold', 'x'.repeat(61)), ['at most 60 characters']],
  ['a view that was saved', save('?status=sold', 'Sold pets'), ['The view Sold pets was saved.']],
  ['a view with a long filter', save(`?name=${'x'.repeat(1_500)}`, 'Long'), ['too many filters']],
  [
    'a view with a name that is taken',
    save('?status=pending', 'Sold pets'),
    ['You already have a view with this name.'],
  ],
  ['removed records', list('?removed-records=with'), ['Removed pets cannot be changed.']],
  [
    'a search that has ended before its end',
    ({ client, records }) => {
      const lookedTo = { id: 12n, value: 12n };
      jest.spyOn(records, 'searchBriefly').mockResolvedValueOnce({ records: [], lookedTo });
      return client.get(`${LIST}?name=many`);
    },
    ['Searched as far as pet 12. Continue for the rest.'],
  ],
  [
    'records that could not be counted',
    counted('', 200, false),
    ['The count took too long: filter the list.'],
  ],
  [
    'a change of records that could not be counted',
    counted('/bulk', 200, false),
    ['The count took too long: set more filters.'],
  ],
  [
    'more records than can be changed at once',
    counted('', 10_001, true),
    ['More than 10,000 pets', 'At most 10,000 can be changed at once: filter the list, or choose rows.'],
  ],
  [
    'a change of more records than can be changed at once',
    counted('/bulk', 10_001, true),
    ['At most 10,000 can be changed at once: set more filters.'],
  ],
];
