import { Command } from 'commander';
import { ORDERS } from '../../../test/support/every-field';
import { readListQuery } from '../console/records/list-query';
import {
  addFilterOptions,
  addOrderOptions,
  addRemovedOption,
  readListOptions,
} from './commands/filter-options';
import type { ListFacts } from './list-request';
import type { RecordsService } from './records.service';

const FACTS: ListFacts = {
  kind: ORDERS,
  kinds: [ORDERS],
  orders: ['id', 'createdAt', 'petId'],
  isDated: true,
  keepsRemoved: true,
};

const RECORDS = { listFacts: () => FACTS } as unknown as RecordsService;

/** What the query of an address asks for. */
function byAddress(query: string) {
  const { filter, order, faults } = readListQuery(FACTS, new URLSearchParams(query));
  return { filter, order, faults };
}

/** What the options of a command ask for. */
function byOptions(...words: string[]) {
  const command = addOrderOptions(addRemovedOption(addFilterOptions(new Command('list'), ORDERS)));
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  return readListOptions(RECORDS, ORDERS, command.parse(words, { from: 'user' }).opts());
}

describe('A list of records', () => {
  it('is the same whether an address or the options of a command ask for it', () => {
    const { faults, ...asked } = byAddress(
      'stage=done&petId=9007199254740993&gift=true&not-set=key&not-set=price&removed-records=only' +
        '&added-from=2026-01-01&added-to=2026-01-31&sort-by=-petId',
    );
    expect(faults).toEqual({});
    expect(
      byOptions(
        ...['--stage', 'done', '--pet-id', '9007199254740993', '--gift', 'true', '--not-set', 'key', 'price'],
        ...['--removed', 'only', '--from', '2026-01-01', '--to', '2026-02-01', '--sort', 'petId', '--desc'],
      ),
    ).toEqual(asked);
  });

  it('is refused for the same fault of a field', () => {
    expect(byAddress('stage=gone&count=x').faults).toEqual({
      count: expect.stringMatching(/^Count must be an integer/) as string,
      stage: 'Stage must be one of new, in_transit, done.',
    });
    expect(() => byOptions('--count', 'x')).toThrow(/^count must be an integer/);
  });

  it('is not sorted by what has no index', () => {
    expect(byAddress('sort-by=note').faults).toEqual({
      '': expect.stringContaining('cannot be sorted by') as string,
    });
    expect(() => byOptions('--sort', 'note')).toThrow(
      '--sort: orders can be sorted by id, createdAt, petId.',
    );
  });
});
