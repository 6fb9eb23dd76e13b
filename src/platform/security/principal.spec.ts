import { covers } from './principal';

describe('A key covers an operation', () => {
  const ofKey = (...scopes: string[]) => ({ keyId: 'key_1', lineageId: 'key_1', scopes: new Set(scopes) });

  it.each([
    ['with all of its scopes', ['pets:read', 'pets:write', 'orders:read'], true],
    ['not with one of its two scopes', ['pets:read'], false],
    ['not with other scopes', ['orders:read'], false],
    ['not without scopes', [], false],
  ])('%s', (_scopes, scopes, isCovered) => {
    expect(covers(ofKey(...scopes), ['pets:read', 'pets:write'])).toBe(isCovered);
  });
});
