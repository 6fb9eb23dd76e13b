import { readServer } from './server-address';
import { readChoice } from './server-choice';

const choose = (line: string, server?: string) => readChoice(line.split(' ').filter(Boolean), { server });

describe('The server that a command runs on', () => {
  it.each([
    ['pets list', undefined, undefined, 'pets list'],
    ['--server https://a pets list', undefined, 'https://a', 'pets list'],
    ['pets list --server https://a --json', undefined, 'https://a', 'pets list --json'],
    ['pets list --server=https://a', undefined, 'https://a', 'pets list'],
    ['pets list', 'https://b', 'https://b', 'pets list'],
    ['pets list --server https://a', 'https://b', 'https://a', 'pets list'],
    ['pets list -- --server https://a', undefined, undefined, 'pets list -- --server https://a'],
    ['login https://c', 'https://b', undefined, 'login https://c'],
    ['login --server https://a --json', undefined, undefined, '--server https://a login --json'],
    ['--help', 'https://b', undefined, '--help'],
    ['', 'https://b', undefined, ''],
    ['pets list --server', undefined, undefined, '--server'],
    ['pets list --server=', 'https://b', undefined, '--server'],
  ])(
    'is chosen by --server before PETSTORE_SERVER: "petstore %s" with %s runs at %s',
    (line, variable, server, args) => {
      expect(choose(line, variable)).toEqual({ server, args: args.split(' ').filter(Boolean) });
    },
  );
});

describe('The address of a console', () => {
  it.each([
    ['https://console.example.com', 'https://console.example.com'],
    ['https://console.example.com/admin/keys?page=2', 'https://console.example.com'],
    ['http://localhost:3001/admin', 'http://localhost:3001'],
    ['http://127.0.0.1:3001', 'http://127.0.0.1:3001'],
    ['http://[::1]:3001', 'http://[::1]:3001'],
  ])('is reduced to its origin: %s to %s', (text, origin) => {
    expect(readServer(text)).toBe(origin);
  });

  it.each([
    ['console.example.com', 'Write the address'],
    ['ftp://console.example.com', 'Write the address'],
    ['', 'Write the address'],
    ['http://console.example.com', 'is not encrypted'],
    ['http://127.0.0.1.example.com', 'is not encrypted'],
  ])('is refused when it is "%s"', (text, said) => {
    expect(() => readServer(text)).toThrow(said);
  });
});
