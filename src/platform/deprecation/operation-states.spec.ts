import { operationStates } from '../config/setting-kinds';

const states = operationStates();

function fault(text: string): string {
  const parsed = states.parse(text);
  return 'fault' in parsed ? parsed.fault : 'none';
}

describe('The states of deprecated operations', () => {
  it('are empty for an empty text', () => {
    expect(states.parse('')).toEqual({ value: new Map() });
  });

  it('are read by operationId, spaces ignored', () => {
    expect(states.parse('getPet=removed; listPets = active;x=brownout( 2030-06-01T00:00:00Z/PT1H )')).toEqual(
      {
        value: new Map<string, unknown>([
          ['getPet', { state: 'removed' }],
          ['listPets', { state: 'active' }],
          [
            'x',
            {
              state: 'brownout',
              windows: [{ from: new Date('2030-06-01T00:00:00Z'), to: new Date('2030-06-01T01:00:00Z') }],
            },
          ],
        ]),
      },
    );
  });

  it.each([
    ['2030-06-01T00:00:00Z/2030-06-01T02:00:00Z', '2030-06-01T00:00:00Z', '2030-06-01T02:00:00Z'],
    ['2030-06-01T00:00+02:00/2030-06-01T00:00Z', '2030-05-31T22:00:00Z', '2030-06-01T00:00:00Z'],
    ['2028-02-29T23:30Z/P1DT2H3M4S', '2028-02-29T23:30:00Z', '2028-03-02T01:33:04Z'],
    ['2030-12-31T23:59:59Z/PT1S', '2030-12-31T23:59:59Z', '2031-01-01T00:00:00Z'],
  ])('accept the window %s', (window, from, to) => {
    expect(states.parse(`getPet=brownout(${window})`)).toEqual({
      value: new Map([
        ['getPet', { state: 'brownout', windows: [{ from: new Date(from), to: new Date(to) }] }],
      ]),
    });
  });

  it('sort their windows by time', () => {
    const parsed = states.parse('getPet=brownout(2030-07-01T00:00Z/PT1H, 2030-06-01T00:00Z/PT1H)');
    expect(parsed).toMatchObject({
      value: new Map([
        [
          'getPet',
          {
            windows: [{ from: new Date('2030-06-01T00:00Z') }, { from: new Date('2030-07-01T00:00Z') }],
          },
        ],
      ]),
    });
  });

  it.each([
    '2030-06-01T00:00:00Z',
    '2030-06-01T00:00:00/PT1H',
    '2030-06-01/P1D',
    '2030-06-01T02:00:00Z/2030-06-01T02:00:00Z',
    '2030-06-01T02:00:00Z/2030-06-01T01:00:00Z',
    '2030-06-01T02:00:00Z/P',
    '2030-06-01T02:00:00Z/PT',
    '2030-06-01T02:00:00Z/PT0S',
    '2030-06-01T02:00:00Z/P1M',
    '2030-06-01T02:00:00Z/P1W',
    '2030-02-30T00:00:00Z/PT1H',
    '2030-13-01T00:00:00Z/PT1H',
    '2030-06-01T24:00:00Z/PT1H',
    '2030-06-01T00:00:00+99:00/PT1H',
    '2030-06-01T00:00:00Z/PT1H/PT1H',
    '',
  ])('are refused with the window %j', (window) => {
    expect(fault(`getPet=brownout(2029-01-01T00:00Z/PT1H, ${window})`)).toContain(
      ': entry 1 has a faulty window 2; ',
    );
  });

  it.each([
    ['getPet', 'entry 1 has none of these forms'],
    ['getPet=gone', 'entry 1 has none of these forms'],
    ['getPet=removed;', 'entry 2 has none of these forms'],
    ['=removed', 'entry 1 has none of these forms'],
    ['getPet=active;getPet=removed', 'entry 2 names an operation again'],
    ['getPet=brownout()', 'entry 1 has a faulty window 1'],
    [
      'getPet=brownout(2030-06-01T00:00Z/PT2H, 2030-06-01T01:00Z/PT2H)',
      'entry 1 has windows that overlap or touch',
    ],
    [
      'getPet=brownout(2030-06-01T00:00Z/PT1H, 2030-06-01T01:00Z/PT1H)',
      'entry 1 has windows that overlap or touch',
    ],
  ])('are refused as %j', (text, detail) => {
    expect(fault(text)).toContain(detail);
  });
});
