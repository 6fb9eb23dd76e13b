import { blocksToMarkdown } from './blocks-markdown';
import { rateLimits } from './guide-topics';

const EXPORTS = [{ name: 'exports', perMinute: 2 }, ['`exportOne`', '`exportOther`']] as const;

/** The rows of the table, and what the header fields of the example name. */
function told(own: Map<{ name: string; perMinute: number }, readonly string[]>, hasCommon: boolean) {
  const text = blocksToMarkdown(rateLimits(600, own, hasCommon).more);
  const [, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
  return { rows, fields: [...text.matchAll(/^RateLimit.*: "(.*)"/gm)].map(([, name]) => name) };
}

describe('The limits in the guide', () => {
  it('hold for all operations when none has a limit of its own', () => {
    expect(told(new Map(), true)).toEqual({
      rows: ['| default | 600 | all operations |'],
      fields: ['default', 'default'],
    });
  });

  it('hold for all others besides those with a limit of their own', () => {
    expect(told(new Map([EXPORTS]), true).rows).toEqual([
      '| default | 600 | all others |',
      '| exports | 2 | `exportOne`, `exportOther` |',
    ]);
  });

  it('leave the common one out when every operation has a limit of its own', () => {
    expect(told(new Map([EXPORTS]), false)).toEqual({
      rows: ['| exports | 2 | `exportOne`, `exportOther` |'],
      fields: ['exports', 'exports'],
    });
  });
});
