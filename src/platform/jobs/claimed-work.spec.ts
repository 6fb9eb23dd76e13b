import { errorText } from './claimed-work';

describe('The stored text of what a handler has thrown', () => {
  const unspeakable = {
    toString: (): string => {
      throw new Error('no text');
    },
  };

  it.each([
    ['a value without a prototype', Object.create(null)],
    ['a value whose text cannot be made', unspeakable],
    ['a revoked proxy', revoked()],
    ['a symbol', Symbol('away')],
  ])('is there for %s', (_, thrown) => {
    expect(errorText(thrown)).not.toBe('');
  });

  it('is that of an error, without what no database stores', () => {
    expect(errorText(new Error('a\0b'))).toBe('Error: a\uFFFDb');
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
