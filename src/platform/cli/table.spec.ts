import { type Colour, renderTable } from './table';

const paint = (colour: Colour, text: string) => `<${colour}>${text}</>`;
const terminal = (columns?: number) => ({ isTerminal: true, columns, paint });
const pipe = { isTerminal: false, paint: (_colour: Colour, text: string) => text };

const table = {
  header: ['ID', 'NAME'],
  rows: [
    ['key_1', 'shop'],
    ['k', 'a b'],
  ],
};

describe('a table', () => {
  it('is aligned under a bold header on a terminal', () => {
    expect(renderTable(table, terminal())).toBe('<bold>ID     NAME</>\nkey_1  shop\nk      a b\n');
  });

  it('is tab-separated elsewhere', () => {
    expect(renderTable(table, pipe)).toBe('ID\tNAME\nkey_1\tshop\nk\ta b\n');
  });

  it.each([terminal(), pipe])(
    'writes out characters that would drive a terminal or break a line: %j',
    (view) => {
      const text = renderTable({ header: ['A'], rows: [['\u001b[2J\t\n\r\u0085\u2028\u202e\u200b']] }, view);
      expect(text.split('\n')[1]).toBe('\\u{1b}[2J\\u{9}\\u{a}\\u{d}\\u{85}\\u{2028}\\u{202e}\\u{200b}');
    },
  );

  it('consists of its header when there are no rows', () => {
    expect(renderTable({ header: ['ID', 'NAME'], rows: [] }, pipe)).toBe('ID\tNAME\n');
  });

  it('colours the words of a column called STATUS, and whole only there', () => {
    const text = renderTable(
      {
        header: ['ID', 'STATUS', 'NOTE'],
        rows: [
          ['a', 'ok', 'failed'],
          ['b', 'revoked', 'ok'],
          ['c', 'odd', ''],
        ],
      },
      terminal(),
    );
    expect(text).toBe(
      '<bold>ID  STATUS   NOTE</>\na   <green>ok     </>  failed\nb   <red>revoked</>  ok\nc   odd\n',
    );
  });

  it('aligns characters that take two places, or none', () => {
    const rows = [
      ['ペット', 'x'],
      ['🐶', 'x'],
      ['e\u0301', 'x'],
      ['コーギー', 'x'],
      ['❤️', 'x'],
      ['(´･ω･`)', 'x'],
    ];
    expect(renderTable({ header: ['NAME', 'B'], rows }, terminal())).toBe(
      [
        '<bold>NAME      B</>',
        'ペット    x',
        '🐶        x',
        'e\u0301         x',
        'コーギー  x',
        '❤️        x',
        '(´･ω･`)   x',
        '',
      ].join('\n'),
    );
  });
});

describe('a table whose rows come one after the other', () => {
  const growing = { header: ['ID', 'STATUS', 'NOTE'], widths: [5] };
  const [first, second] = [
    ['a', 'ok', 'x'],
    ['later', 'failed', 'y'],
  ] as const;

  it.each([
    ['on a terminal', terminal(40)],
    ['in a pipe', pipe],
  ])('looks as if they had been there from the beginning: %s', (_where, view) => {
    const parts = [
      renderTable({ ...growing, rows: [] }, view),
      renderTable({ ...growing, rows: [first], isBegun: true }, view),
      renderTable({ ...growing, rows: [second], isBegun: true }, view),
    ];
    expect(parts.join('')).toBe(renderTable({ header: growing.header, rows: [first, second] }, view));
  });
});

describe('a table for people', () => {
  const events = {
    header: ['ID', 'AT', 'ACTOR', 'NOTE', 'REMOVED', 'REQUEST'],
    rows: [
      ['1', '2026-11-22T19:26:48.123Z', 'key_0123456789abcdef', 'short', '-', 'r-1'],
      ['2', '2026-11-22T19:27:00Z', 'cli:jo', '-', '-', 'r-2'],
    ],
    spare: ['REQUEST'],
  };

  it('tells times to the minute, and leaves out columns that say nothing of any row', () => {
    expect(renderTable(events, terminal())).toBe(
      '<bold>ID  AT                 ACTOR                 NOTE   REQUEST</>\n' +
        '1   2026-11-22 19:26Z  key_0123456789abcdef  short  r-1\n' +
        '2   2026-11-22 19:27Z  cli:jo                -      r-2\n',
    );
    expect(renderTable(events, pipe).split('\n')[1]?.split('\t')).toEqual(events.rows[0]);
    expect(renderTable({ ...events, rows: [] }, terminal())).toContain('REMOVED');
  });

  it('does without spare columns where it is too wide, and cuts no name of a thing', () => {
    const text = renderTable(events, terminal(50));
    expect(text).not.toContain('REQUEST');
    expect(text).toContain('key_0123456789abcdef');
  });

  it('has the whole time of a thing it shows alone', () => {
    const one = { header: ['FIELD', 'VALUE'], rows: [['at', '2026-11-22T19:26:48.123Z']] };
    expect(renderTable(one, terminal())).toContain('2026-11-22T19:26:48.123Z');
  });
});

describe('a table that is wider than the terminal', () => {
  const wide = {
    header: ['ID', 'NAME', 'NOTE'],
    rows: [['key_0123456789abcdef', 'the shop around the corner', 'short']],
  };

  it('has its longest cells cut, but not those that name the rows', () => {
    const [, row = ''] = renderTable(wide, terminal(40)).split('\n');
    expect(row).toBe('key_0123456789abcdef  the shop a…  short');
    expect(renderTable(wide, terminal(48)).split('\n')[1]).toHaveLength(48);
  });

  it('is whole when it is piped, or the width of the terminal is not known', () => {
    for (const view of [pipe, terminal(), terminal(0)]) {
      expect(renderTable(wide, view)).toContain('the shop around the corner');
    }
  });

  it('never has a column cut that is to be whole, nor one of the two of a table of members', () => {
    expect(renderTable({ ...wide, whole: ['NAME'] }, terminal(40))).toContain('the shop around the corner');
    const members = { header: ['FIELD', 'VALUE'], rows: [['key', `petk_${'x'.repeat(49)}`]] };
    expect(renderTable(members, terminal(20))).toContain(`petk_${'x'.repeat(49)}\n`);
  });

  describe('and has dates', () => {
    const keys = {
      header: ['ID', 'NAME', 'SCOPES', 'OWNER', 'STATUS', 'EXPIRES', 'LAST USED'],
      rows: [
        [
          'key_0123456789abcdef',
          'the shop around the corner',
          'pets:read,pets:write',
          'ops@example.com',
          'revoked',
          '2026-11-22T19:26:48.123Z',
          '-',
        ],
      ],
    };
    const used = { ...keys, rows: keys.rows.map((cells) => cells.with(6, '2026-11-23T08:00:00Z')) };

    it('has its texts cut before a date is', () => {
      expect(renderTable(keys, terminal(80)).split('\n')[1]).toMatch(/^key_0123456789abcdef {2}the .*… .*Z$/);
      expect(renderTable(keys, terminal(80))).toContain('2026-11-22 19:26Z');
    });

    it('tells the days alone where texts cut short are not enough', () => {
      const lines = renderTable(used, terminal(80)).split('\n');
      expect(lines[1]).toMatch(/2026-11-22 {2}2026-11-23$/);
      expect(lines.every((line) => line.replace(/<.*?>/g, '').length <= 80)).toBe(true);
    });

    it('cuts no date, however narrow the terminal is', () => {
      for (let columns = 1; columns < 140; columns++) {
        expect(renderTable(used, terminal(columns))).toMatch(
          /2026-11-22( 19:26Z)? {2}2026-11-23( 08:00Z)?\n$/,
        );
      }
    });

    it('cuts what stands beside a date in the same column', () => {
      const rows = [
        ['a', '2026-11-22T19:26:48Z', 'b'],
        ['b', 'n'.repeat(60), 'b'],
      ];
      const text = renderTable({ header: ['ID', 'NOTE', 'C'], rows }, terminal(30));
      expect(text).toContain('a   2026-11-22 19:26Z        b\n');
      expect(text.split('\n')[2]).toHaveLength(30);
    });
  });

  it('may have more rows than a call may have arguments', () => {
    const rows = Array.from({ length: 200_000 }, () => ['a', 'b', 'c']);
    expect(renderTable({ header: ['A', 'B', 'C'], rows }, terminal(5))).toMatch(/^(?:.*\n){200001}$/);
  });

  it('does not cut what is seen as one character', () => {
    const rows = [['a', `${'x'.repeat(7)}❤️❤️❤️`, 'b']];
    const [, row = ''] = renderTable({ header: ['A', 'NAME', 'C'], rows }, terminal(16)).split('\n');
    expect(row).toBe('a  xxxxxxx❤️…  b');
  });

  it('does not cut a character in two, nor anything to nothing', () => {
    const rows = [['a', '🐶🐶🐶🐶🐶🐶🐶', 'b']];
    const [, row = ''] = renderTable({ header: ['A', 'NAME', 'C'], rows }, terminal(5)).split('\n');
    expect(row).toBe('a  🐶🐶🐶…  b');
  });
});
