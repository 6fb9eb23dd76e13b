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

  it('is its header alone when there are no rows', () => {
    expect(renderTable({ header: ['ID', 'NAME'], rows: [] }, pipe)).toBe('ID\tNAME\n');
  });

  it('colours whole words of the column STATUS only', () => {
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

  it('aligns characters that are two columns wide, or none', () => {
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
  ])('looks like one whose rows were known from the beginning: %s', (_where, view) => {
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

  it('shows times to the minute, and leaves out columns that are empty in every row', () => {
    expect(renderTable(events, terminal())).toBe(
      '<bold>ID  AT                 ACTOR                 NOTE   REQUEST</>\n' +
        '1   2026-11-22 19:26Z  key_0123456789abcdef  short  r-1\n' +
        '2   2026-11-22 19:27Z  cli:jo                -      r-2\n',
    );
    expect(renderTable(events, pipe).split('\n')[1]?.split('\t')).toEqual(events.rows[0]);
    expect(renderTable({ ...events, rows: [] }, terminal())).toContain('REMOVED');
  });

  it('drops less important columns when it is too wide, and never cuts an identifier', () => {
    const [heading, row, , note] = renderTable(events, terminal(50)).split('\n');
    expect(heading).not.toContain('REQUEST');
    expect(row).toContain('key_0123456789abcdef');
    expect(note).toContain(': REQUEST.');
  });

  it('cuts long texts to what can be read rather than to drop a column', () => {
    const long = { ...events, rows: events.rows.map((cells) => cells.with(3, 'n'.repeat(90))) };
    expect(renderTable(long, terminal(75))).toMatch(/^<bold>ID {2}AT .* REQUEST<\/>\n/);
    expect(renderTable(long, terminal(65))).not.toMatch(/^.*REQUEST/);
  });

  it('shows short forms where whole cells do not fit', () => {
    const short = { ...events, short: { REQUEST: (cell: string) => cell.slice(0, 2) } };
    expect(renderTable(short, terminal(60)).split('\n')[1]).toMatch(/ r-1$/);
    expect(renderTable({ ...short, spare: [] }, terminal(50)).split('\n')[1]).toMatch(/ r-$/);
  });

  it('has the same columns in all parts', () => {
    const parts = { ...events, spare: ['NOTE'], widths: [2, 17, 20, 6, 7, 7] };
    const heading = renderTable({ ...parts, rows: [] }, terminal(62));
    expect(heading).toBe('<bold>ID  AT                 ACTOR                 REMOVED  REQUEST</>\n');
    expect(renderTable({ ...parts, isBegun: true }, terminal(62)).split('\n')[0]).toBe(
      '1   2026-11-22 19:26Z  key_0123456789abcdef  -        r-1',
    );
  });

  it('shows the exact time of a record that it shows alone', () => {
    const one = { header: ['FIELD', 'VALUE'], rows: [['at', '2026-11-22T19:26:48.123Z']] };
    expect(renderTable(one, terminal())).toContain('2026-11-22T19:26:48.123Z');
  });
});

describe('a table that is wider than the terminal', () => {
  const wide = {
    header: ['ID', 'NAME', 'NOTE'],
    rows: [['key_0123456789abcdef', 'the shop around the corner', 'short']],
  };

  it('shortens its longest cells, but not those that identify the rows', () => {
    const [, row = ''] = renderTable(wide, terminal(40)).split('\n');
    expect(row).toBe('key_0123456789abcdef  the shop a…  short');
    expect(renderTable(wide, terminal(48)).split('\n')[1]).toHaveLength(48);
  });

  it('is whole in a pipe, and when the width of the terminal is unknown', () => {
    for (const view of [pipe, terminal(), terminal(0)]) {
      expect(renderTable(wide, view)).toContain('the shop around the corner');
    }
  });

  it('never shortens a column that is declared whole, nor a table of names and values', () => {
    expect(renderTable({ ...wide, whole: ['NAME'] }, terminal(40))).toContain('the shop around the corner');
    const members = { header: ['FIELD', 'VALUE'], rows: [['key', `petk_${'x'.repeat(49)}`]] };
    expect(renderTable(members, terminal(20))).toContain(`petk_${'x'.repeat(49)}\n`);
  });

  describe('with dates', () => {
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

    it('shortens texts before dates', () => {
      expect(renderTable(keys, terminal(112)).split('\n')[1]).toMatch(
        /^key_0123456789abcdef {2}the .*… .*2026-11-22 19:26Z$/,
      );
    });

    it('keeps the times of a column that is declared whole', () => {
      const [, row] = renderTable({ ...used, whole: ['EXPIRES'] }, terminal(80)).split('\n');
      expect(row).toMatch(/2026-11-22 19:26Z {2}2026-11-23$/);
    });

    it('shows days without times where texts would be cut too short to read', () => {
      const lines = renderTable(used, terminal(80)).split('\n');
      expect(lines[1]).toMatch(/2026-11-22 {2}2026-11-23$/);
      expect(lines.every((line) => line.replace(/<.*?>/g, '').length <= 80)).toBe(true);
    });

    it('never cuts a date, however narrow the terminal is', () => {
      for (let columns = 1; columns < 140; columns++) {
        expect(renderTable(used, terminal(columns))).toMatch(
          /2026-11-22( 19:26Z)? {2}2026-11-23( 08:00Z)?\n$/,
        );
      }
    });

    it('shortens longer texts in a column that also has dates', () => {
      const rows = [
        ['a', '2026-11-22T19:26:48Z', 'b'],
        ['b', 'n'.repeat(60), 'b'],
      ];
      const text = renderTable({ header: ['ID', 'NOTE', 'C'], rows }, terminal(30));
      expect(text).toContain('a   2026-11-22 19:26Z        b\n');
      expect(text.split('\n')[2]).toHaveLength(30);
    });
  });

  it('may have more rows than a function call may have arguments', () => {
    const rows = Array.from({ length: 200_000 }, () => ['a', 'b', 'c']);
    expect(renderTable({ header: ['A', 'B', 'C'], rows }, terminal(5))).toMatch(/^(?:.*\n){200001}$/);
  });

  it('does not cut a character that consists of several code points', () => {
    const rows = [['a', `${'x'.repeat(7)}❤️❤️❤️`, 'b']];
    const [, row = ''] = renderTable({ header: ['A', 'NAME', 'C'], rows }, terminal(16)).split('\n');
    expect(row).toBe('a  xxxxxxx❤️…  b');
  });

  it('does not cut a character in two, and never shortens a cell to nothing', () => {
    const rows = [['a', '🐶🐶🐶🐶🐶🐶🐶', 'b']];
    const [, row = ''] = renderTable({ header: ['A', 'NAME', 'C'], rows }, terminal(5)).split('\n');
    expect(row).toBe('a  🐶🐶🐶…  b');
  });
});

describe('a column that goes on in the lines below', () => {
  const said = { header: ['ID', 'AT', 'FOUND', 'BY'], wrapped: 'FOUND' };
  const text = 'The file /var/lib/petstore/petstore.sqlite has two faults.';
  const short = { ...said, rows: [['1', '2026-11-22T19:26:48Z', text, 'jo']] };

  it('comes last, and breaks at blanks', () => {
    expect(renderTable(short, terminal(60))).toBe(
      [
        '<bold>ID  AT                 BY  FOUND</>',
        '1   2026-11-22 19:26Z  jo  The file',
        '                           /var/lib/petstore/petstore.sqlite',
        '                           has two faults.',
        '',
      ].join('\n'),
    );
    expect(renderTable(short, terminal(200)).split('\n')[1]).toBe(`1   2026-11-22 19:26Z  jo  ${text}`);
  });

  it('stands below the others where it has no room beside them, unless it has no value', () => {
    const rows = [...short.rows, ['2', '2026-11-22T19:26:48Z', '-', 'jo']];
    expect(renderTable({ ...said, rows, whole: ['AT'] }, terminal(50))).toBe(
      [
        '<bold>ID  AT                 BY</>',
        '<bold>    FOUND</>',
        '1   2026-11-22 19:26Z  jo',
        '    The file /var/lib/petstore/petstore.sqlite has',
        '    two faults.',
        '2   2026-11-22 19:26Z  jo',
        '',
      ].join('\n'),
    );
  });

  it('measures characters that are two columns wide', () => {
    const rows = [['1', '-', '子犬 子犬 子犬 子犬 子犬 子犬 子犬', 'x']];
    const lines = renderTable({ ...said, rows }, terminal(38)).split('\n');
    expect(lines.slice(1)).toEqual(['1   x   子犬 子犬 子犬 子犬 子犬 子犬', '        子犬', '']);
  });

  it('ends after five lines, unless it is declared whole', () => {
    const rows = [['1', '-', 'word '.repeat(100).trim(), 'x']];
    const lines = renderTable({ ...said, rows }, terminal(40)).split('\n');
    expect([lines.length, lines[5]]).toEqual([7, expect.stringMatching(/^ +word.* word …$/)]);
    expect(renderTable({ ...said, rows, whole: ['FOUND'] }, terminal(40))).not.toContain('…');
  });

  it('stands where it stood in a pipe', () => {
    expect(renderTable(short, pipe)).toBe(`ID\tAT\tFOUND\tBY\n1\t2026-11-22T19:26:48Z\t${text}\tjo\n`);
  });
});
