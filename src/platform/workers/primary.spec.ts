import { restartDelayMs, shortLives } from './primary';

describe('The delay before a worker is replaced', () => {
  it('doubles after every short life, up to half a minute', () => {
    const delays: number[] = [];
    let lives = 0;
    for (let i = 0; i < 10; i++) {
      lives = shortLives(lives, 1_000);
      delays.push(restartDelayMs(lives));
    }
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is zero after a life of a minute, whatever came before', () => {
    expect(restartDelayMs(shortLives(7, 60_000))).toBe(0);
    expect(restartDelayMs(shortLives(7, 59_999))).toBeGreaterThan(0);
  });
});
