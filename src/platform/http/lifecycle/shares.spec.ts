import { Shares } from './shares';

describe('Shares of callers', () => {
  const held = (...callers: string[]) => {
    const shares = new Shares();
    for (const caller of callers) shares.add(caller);
    return shares;
  };

  it('call a caller greedy that has more than an equal share', () => {
    const shares = held('a', 'a', 'a', 'b', 'c', 'c');
    expect(shares.isGreedy('a')).toBe(true);
    expect(shares.isGreedy('b')).toBe(false);
    expect(shares.isGreedy('c')).toBe(false);
  });

  it('do not call a caller greedy that is alone, has as much as the others, or nothing', () => {
    expect(held('a', 'a').isGreedy('a')).toBe(false);
    expect(held('a', 'a', 'b', 'b').isGreedy('a')).toBe(false);
    expect(held('a').isGreedy('b')).toBe(false);
    expect(new Shares().isGreedy('a')).toBe(false);
  });

  it('forget what was given back, and callers with nothing left', () => {
    const shares = held('a', 'a', 'a', 'b', 'c');
    shares.remove('a');
    shares.remove('b');
    expect(shares.isGreedy('a')).toBe(true);
    shares.remove('c');
    expect(shares.isGreedy('a')).toBe(false);
  });
});
