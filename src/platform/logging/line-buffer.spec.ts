import { LineBuffer } from './line-buffer';

const LINE = `${'x'.repeat(99)}\n`;

let written: string[];
let buffer: LineBuffer;

beforeEach(() => {
  jest.useFakeTimers();
  written = [];
  buffer = new LineBuffer({ write: (lines) => void written.push(lines) });
});
afterEach(() => jest.useRealTimers());

describe('LineBuffer', () => {
  it('hands on lines that may wait together, half a second after the first', () => {
    buffer.writeLater('a\n');
    jest.advanceTimersByTime(499);
    buffer.writeLater('b\n');
    expect(written).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(written).toEqual(['a\nb\n']);
    jest.advanceTimersByTime(10_000);
    expect(written).toHaveLength(1);
    buffer.writeLater('c\n');
    jest.advanceTimersByTime(500);
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  it('hands on a line that may not wait at once, and those before it first', () => {
    buffer.writeLater('a\n');
    buffer.write('b\n');
    expect(written).toEqual(['a\n', 'b\n']);
  });

  it('hands on whole lines, never more at a time than a pipe takes as a whole', () => {
    for (let i = 0; i < 1_000; i++) buffer.writeLater(LINE);
    buffer.flush();
    expect(written.join('')).toBe(LINE.repeat(1_000));
    expect(written).toHaveLength(25);
    for (const lines of written) {
      expect(lines.length).toBeLessThanOrEqual(4_096);
      expect(lines.endsWith('\n')).toBe(true);
    }
  });

  it('hands on a line that is longer than that alone', () => {
    const long = `${'y'.repeat(10_000)}\n`;
    for (const line of [LINE, long, LINE]) buffer.writeLater(line);
    buffer.flush();
    expect(written).toEqual([LINE, long, LINE]);
  });

  it('leaves nothing to do when it is flushed', () => {
    buffer.writeLater('a\n');
    buffer.flush();
    expect(jest.getTimerCount()).toBe(0);
    buffer.flush();
    expect(written).toEqual(['a\n']);
  });
});
