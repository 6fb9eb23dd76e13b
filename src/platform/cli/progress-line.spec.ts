import { progressLine } from './progress-line';

const HALF = { done: 3_000, total: 6_000, rate: 1_234.5 };

describe('A progress line', () => {
  it('shows a bar, the number of rows, rows per second and the remaining time', () => {
    expect(progressLine('Adding pets', HALF, 120)).toBe(
      `Adding pets [${'='.repeat(20)}${'-'.repeat(20)}] 50% | 3,000/6,000 | 1,235/s | 3s left`,
    );
    expect(progressLine('Adding pets', { done: 1, total: 8_000, rate: 1 }, 120)).toMatch(/\| 2h 13m left$/);
  });

  it('shows no remaining time before the first row and after the last', () => {
    expect(progressLine('Adding', { done: 0, total: 9, rate: 0 }, 80)).toMatch(/\] 0% \| 0\/9$/);
    expect(progressLine('Adding', { done: 9, total: 9, rate: 3 }, 80)).toMatch(/\] 100% \| 9\/9 \| 3\/s$/);
    expect(progressLine('Adding', { done: 0, total: 0, rate: 0 }, 80)).toMatch(/\[=+\] 100% \| 0\/0$/);
  });

  it('has no bar when the number of rows is not known', () => {
    expect(progressLine('Writing pets', { ...HALF, total: undefined }, 80)).toBe(
      'Writing pets 3,000 | 1,235/s',
    );
  });

  it('leaves the last column of the terminal free', () => {
    const widths = Array.from({ length: 200 }, (_, i) => i + 1);
    const lengths = widths.map((columns) => progressLine('Adding pets', HALF, columns).length);
    expect(lengths.filter((length, i) => length >= (widths[i] as number))).toEqual([]);
    expect(progressLine('Adding pets', HALF, 80)).toMatch(/=-.*3s left$/);
    expect(progressLine('Adding pets', HALF, 45)).toMatch(/^Adding pets 50% \| 3,000\/6,000 \| 1,235\/s/);
    expect(progressLine('Adding pets', HALF).length).toBeLessThan(80);
  });
});
