import { parseSetCookie } from 'cookie';
import { choiceCookie } from './choice-cookie';

describe('A choice that a browser keeps', () => {
  it.each([
    ['name', { value: 'name', maxAge: 31_536_000 }],
    [','.repeat(1_300), { value: ','.repeat(1_300), maxAge: 31_536_000 }],
    ['', { value: '', maxAge: 0 }],
    ['x'.repeat(2_001), { value: '', maxAge: 0 }],
  ])('is stored, and removed when it is empty or too long: case %#', (choice, stored) => {
    const text = choiceCookie('columns', choice)['Set-Cookie'] ?? '';
    expect(parseSetCookie(text)).toMatchObject(stored);
    expect(text.length).toBeLessThan(4_096);
  });
});
