import { constants, openSync } from 'node:fs';
import { once } from 'node:events';
import { Pipe } from '../../../test/support/processes/pipe';
import { until } from '../../../test/support/until';
import { LogStream } from './log-stream';

const { O_NONBLOCK, O_WRONLY } = constants;
const LINE = `${'x'.repeat(99)}\n`;
const KIB = 1_024;

let pipe: Pipe;
let stream: LogStream;
let gaps: number[];
/** Text read so far. */
let read: string;

beforeEach(() => {
  pipe = new Pipe();
  const fd = openSync(`/proc/self/fd/${pipe.writeEnd}`, O_WRONLY | O_NONBLOCK);
  gaps = [];
  stream = new LogStream(fd);
  stream.onGap = (lines) => gaps.push(lines);
  read = '';
  pipe.readEnd.setEncoding('utf8').on('data', (text: string) => (read += text));
  pipe.readEnd.pause();
});
afterEach(() => {
  // The descriptor stays open: a stream keeps trying, and no other file may get its number.
  pipe.closeWriteEnd();
  pipe.readEnd.destroy();
});

/** Writes lines that may wait, more than the pipe and the stream have room for. */
function overflow(): void {
  for (let i = 0; i < 2_000 * 10; i++) stream.writeLater(LINE);
  stream.flush();
}

describe('A LogStream', () => {
  it('writes buffered lines later, in order', async () => {
    pipe.readEnd.resume();
    stream.writeLater('a\n');
    stream.writeLater('b\n');
    await until(() => read.length === 4);
    expect(read).toBe('a\nb\n');
  });

  it('writes an urgent line at once, after the buffered ones', async () => {
    stream.writeLater('a\n');
    stream.write('b\n');
    pipe.readEnd.resume();
    await until(() => read.length === 4);
    expect(read).toBe('a\nb\n');
  });

  it('buffers what its reader does not take, and drops whole lines beyond its bounds', async () => {
    overflow();
    expect(stream.dropped).toBeGreaterThan(0);
    expect(gaps).toEqual([]);
    expect(stream.isBehind).toBe(true);
    pipe.readEnd.resume();
    await until(() => gaps.length > 0);
    expect(stream.isBehind).toBe(false);
    expect(gaps).toEqual([stream.dropped]);
    const written = (20_000 - stream.dropped) * LINE.length;
    expect(written).toBeGreaterThanOrEqual(KIB * KIB);
    expect(written).toBeLessThan(2 * KIB * KIB);
    await until(() => read.length === written);
    expect(read).toBe(LINE.repeat(20_000 - stream.dropped));
  });

  it('keeps urgent lines when it drops others', async () => {
    overflow();
    const { dropped } = stream;
    stream.write('a fault\n');
    expect(stream.dropped).toBe(dropped);
    for (let i = 0; i < 2_000; i++) stream.write('y'.repeat(KIB));
    expect(stream.dropped).toBeGreaterThan(dropped);
    pipe.readEnd.resume();
    await until(() => gaps.length > 0);
    expect(gaps).toEqual([stream.dropped]);
    await until(() => read.includes('a fault\n'));
  });

  it('writes a line that is longer than the pipe as a whole', async () => {
    const long = `${'z'.repeat(300 * KIB)}\n`;
    for (const line of [LINE, long, LINE]) stream.write(line);
    pipe.readEnd.resume();
    await until(() => read.length === long.length + 2 * LINE.length);
    expect(read).toBe(LINE + long + LINE);
  });

  it('gives up at the exit when nobody reads', () => {
    overflow();
    stream.flushAtExit();
    expect(gaps).toEqual([]);
  });

  it('drops and counts lines beyond its bounds when its reader has gone', async () => {
    pipe.readEnd.destroy();
    await once(pipe.readEnd, 'close');
    overflow();
    expect(stream.dropped).toBeGreaterThan(0);
    stream.flushAtExit();
  });
});
