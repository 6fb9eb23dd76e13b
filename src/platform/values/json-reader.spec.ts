import { InvalidJsonError } from '../errors/http-errors';
import { readJson } from './json-reader';

const EMPTY = 'The body is empty; send a JSON value.';
const UTF8 = 'The body is not valid UTF-8.';
const MALFORMED = 'The body is not valid JSON.';
const DEPTH = 'The body nests more than 32 arrays and objects.';
const REPEATED = 'The body repeats a member name within an object.';

const read = (text: string) => readJson(Buffer.from(text));

function refusal(body: Uint8Array | string): string {
  try {
    readJson(Buffer.from(body as string));
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidJsonError);
    return (error as Error).message;
  }
  return 'accepted';
}

describe('readJson', () => {
  it.each([
    ['null', null],
    ['true', true],
    ['"é😀\\u0000\\ud800"', 'é😀\u0000\ud800'],
    [' \t\r\n[ ] \t\r\n', []],
    ['{}', {}],
    ['{"a":{"a":[{"a":"a"},{"a":"a"}]}}', { a: { a: [{ a: 'a' }, { a: 'a' }] } }],
    ['{"":1,"constructor":2,"1":3}', { '': 1n, constructor: 2n, 1: 3n }],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toStrictEqual(expected);
  });

  it.each([
    ['7', 7n],
    ['-0', 0n],
    ['1.0', 1n],
    ['1e2', 100n],
    ['10e-1', 1n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807.0', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('reads the integer %s exactly, as a bigint, wherever it stands', (text, expected) => {
    expect(read(text)).toBe(expected);
    expect(read(`[{"a":[${text}]}]`)).toStrictEqual([{ a: [expected] }]);
  });

  it.each([
    ['1.5', 1.5],
    ['9007199254740992.5', 9007199254740992],
    ['1e-400', 0],
    ['9223372036854775808', 2 ** 63],
    ['1e400', Infinity],
  ])('leaves %s a number, because it is no int64', (text, expected) => {
    expect(read(`{"a":${text}}`)).toStrictEqual({ a: expected });
  });

  it('strips one leading byte order mark and no second one', () => {
    expect(read('\ufeff{"a":"\ufeff"}')).toStrictEqual({ a: '\ufeff' });
    expect(refusal('\ufeff\ufeff{}')).toBe(MALFORMED);
    expect(refusal('{}\ufeff')).toBe(MALFORMED);
  });

  it.each([
    ['an empty body', ''],
    ['a byte order mark alone', '\ufeff'],
  ])('refuses %s as empty', (_case, text) => {
    expect(refusal(text)).toBe(EMPTY);
  });

  it.each([
    ['a byte no UTF-8 has', [0x22, 0xff, 0x22]],
    ['a cut sequence', [0x22, 0xc3, 0x22]],
    ['a sequence cut by the end', [0x22, 0xe2, 0x82]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a code point above U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses %s', (_case, bytes) => {
    expect(refusal(Buffer.from(bytes))).toBe(UTF8);
  });

  it('reads well-formed UTF-8 after it has refused other bytes', () => {
    expect(refusal(Buffer.from([0x22, 0xe2, 0x82]))).toBe(UTF8);
    expect(read('"\u20ac"')).toBe('\u20ac');
  });

  it.each([
    '  ',
    '{',
    '}',
    '[',
    ']',
    ']]]]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '[1 2]',
    '{,}',
    '{1:2}',
    '"',
    '"\\',
    '"\\"',
    '"\\x"',
    '"\\u12"',
    '"\t"',
    "'a'",
    '01',
    '+1',
    '1.',
    '.5',
    '1e',
    '0x10',
    'NaN',
    'Infinity',
    'tru',
    'nul',
    'undefined',
    '{}{}',
    '{} x',
    '1 1',
    '{}\u0000',
    '/**/{}',
    '{}//',
    '[1]]',
    '{"a":1]',
    '\u00a0{}',
  ])('refuses %j as malformed', (text) => {
    expect(refusal(text)).toBe(MALFORMED);
  });

  it.each([
    ['at the top', '{"a":1,"a":1}'],
    ['with another between', '{"a":1,"b":2,"a":3}'],
    ['three times', '{"a":1,"a":2,"a":3}'],
    ['deep inside', '[[{"x":[{"a":1,"a":{}}]}]]'],
    ['in a member that a namesake displaces', '{"a":{"b":1,"b":2},"a":{}}'],
    ['with empty and filled containers', '{"a":{},"a":[1,2],"a":[[],{}]}'],
    ['when escaped', '{"a":1,"\\u0061":2}'],
    ['when escaped in two ways', '{"\\u000a":1,"\\n":2}'],
    ['as a surrogate pair', '{"😀":1,"\\ud83d\\ude00":2}'],
    ['when empty', '{"":1,"":2}'],
    ['when it is __proto__', '{"__proto__":1,"__proto__":2}'],
    ['when it is __proto__ with objects', '{"__proto__":{"a":1},"\\u005f_proto__":{"a":1}}'],
    ['when it is an index', '{"0":1,"0":2}'],
  ])('refuses a repeated member name %s', (_case, text) => {
    expect(refusal(text)).toBe(REPEATED);
  });

  it.each([
    ['differ by letter case', '{"a":1,"A":2}'],
    ['look alike but are other code points', '{"\u00e9":1,"e\u0301":2}'],
    ['stand in different objects', '[{"a":1},{"a":1},{"b":{"a":1}}]'],
    ['hold JSON punctuation', '{"{\\"a\\":1,":1,",{[]}":2,"\\\\":3,"\\"":4}'],
    ['look like other indexes', '{"0":1,"00":2,"-0":3}'],
  ])('accepts names that %s', (_case, text) => {
    expect(refusal(text)).toBe('accepted');
  });

  it('takes __proto__ for a member: no prototype changes', () => {
    const value = read('{"__proto__":{"admin":true},"a":{"__proto__":null}}') as Record<string, object>;
    expect(Object.keys(value)).toStrictEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(value['a'])).toBe(Object.prototype);
    expect(value['admin']).toBeUndefined();
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it.each([
    ['{"\\\\":0}', '{"\\n":1}', { '\n': 1n }],
    ['{"x":0,"\\\\":0}', '{"x":1,"\\"":2}', { x: 1n, '"': 2n }],
    ['{"x":0,"\\\\u00":0}', '{"x":1,"\\u006eame":2}', { x: 1n, name: 2n }],
    ['{"y":0,"\\\\\\\\":0}', '{"y":1,"\\\\x":2}', { y: 1n, '\\x': 2n }],
  ])('does not let the names of one body (%s) change those of the next (%s)', (before, text, expected) => {
    JSON.parse(before);
    read(before);
    expect(read(text)).toStrictEqual(expected);
  });

  it('finds a repeated escaped name whatever names came before', () => {
    JSON.parse('{":":0,"\\\\":0}');
    expect(refusal('{":":1,"\\u003a":2}')).toBe(REPEATED);
  });

  it('counts the outermost container: 32 nested ones are read, 33 are not', () => {
    expect(refusal('['.repeat(32) + ']'.repeat(32))).toBe('accepted');
    expect(refusal('['.repeat(33) + ']'.repeat(33))).toBe(DEPTH);
    expect(refusal('{"a":'.repeat(32) + '1' + '}'.repeat(32))).toBe('accepted');
    expect(refusal('{"a":'.repeat(33) + '1' + '}'.repeat(33))).toBe(DEPTH);
  });

  it('counts nesting, neither siblings nor brackets in strings', () => {
    expect(refusal(`[${'[],{},'.repeat(100)}0]`)).toBe('accepted');
    expect(refusal(JSON.stringify({ ['[{'.repeat(50)]: `\\"${'[{'.repeat(50)}` }))).toBe('accepted');
  });

  it.each([
    ['open brackets', '['.repeat(102_400), DEPTH],
    ['open members', '{"a":'.repeat(20_480), DEPTH],
    ['repeated names', `{${'"a":1,'.repeat(17_000)}"a":1}`, REPEATED],
    ['quotation marks', '"'.repeat(102_400), MALFORMED],
    ['backslashes', `"${'\\'.repeat(102_400)}`, MALFORMED],
    ['closing brackets', ']'.repeat(102_400), MALFORMED],
    ['a number of digits only', '9'.repeat(102_400), 'accepted'],
    ['small arrays', `[${'[],'.repeat(34_000)}[]]`, 'accepted'],
  ])('refuses or reads a body full of %s in time', (_case, text, expected) => {
    expect(refusal(text)).toBe(expected);
  });
});
