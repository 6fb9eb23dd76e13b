import { until } from './until';

describe('until', () => {
  it('waits for a condition', async () => {
    let asked = 0;
    await until(() => ++asked === 3);
    expect(asked).toBe(3);
  });

  it('shows the condition that stays false, and the place that waits for it', async () => {
    const never = until(() => Number('1') === 2, 5);
    await expect(never).rejects.toThrow(
      /^This has not come true within 0\.005 seconds:\n.*Number\('1'\) === 2$/,
    );
    await expect(never).rejects.toHaveProperty('stack', expect.stringContaining('until.spec.ts'));
  });
});
