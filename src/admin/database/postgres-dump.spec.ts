import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../test/support/folders';
import { addressOf, withAuthorities } from './postgres-dump';

describe('The address for pg_dump', () => {
  it.each([
    ['sslmode=no-verify', 'sslmode=require'],
    ['ssl=no-verify', 'sslmode=require'],
    ['ssl=true', 'sslmode=verify-full'],
    ['ssl=1', 'sslmode=verify-full'],
    ['ssl=0', ''],
    ['sslmode=disable', 'sslmode=disable'],
    ['sslmode=require', 'sslmode=verify-full'],
    ['sslmode=verify-ca&sslrootcert=/ca.pem', 'sslmode=verify-full&sslrootcert=%2Fca.pem'],
    ['sslmode=verify-full&sslrootcert=/ca.pem', 'sslmode=verify-full&sslrootcert=%2Fca.pem'],
    ['uselibpqcompat=true&sslmode=require', 'sslmode=require'],
    ['uselibpqcompat=true&sslmode=verify-ca&sslrootcert=/ca.pem', 'sslmode=verify-ca&sslrootcert=%2Fca.pem'],
    ['target_session_attrs=any', 'target_session_attrs=any'],
  ])('says in the words of libpq what node-postgres is told by %s', (given, expected) => {
    const { address, password } = addressOf(`postgres://petstore:s3cret@db.example/petstore?${given}`);
    expect(address.searchParams.toString()).toBe(expected);
    expect([address.href.includes('s3cret'), password]).toEqual([false, 's3cret']);
  });

  it.each<[string, string, number, NodeJS.ProcessEnv, string | null]>([
    ['are those of the system where none are named', 'sslmode=verify-full', 16, {}, 'system'],
    ['are left out before libpq 16', 'sslmode=verify-full', 15, {}, null],
    ['are left out where nothing is verified', 'sslmode=require', 16, {}, null],
    ['are those of the address', 'sslmode=verify-full&sslrootcert=/ca.pem', 16, {}, '/ca.pem'],
    ['are those of the environment', 'sslmode=verify-full', 16, { PGSSLROOTCERT: '/ca.pem' }, null],
    ['are those of the home directory', 'sslmode=verify-full', 16, { HOME: homeWithAuthorities() }, null],
  ])('has authorities that %s', async (_, given, major, variables, expected) => {
    const address = new URL(`postgres://db.example/petstore?${given}`);
    const environment = { HOME: makeFolder(), ...variables };
    const { searchParams } = await withAuthorities(address, environment, () => Promise.resolve(major));
    expect(searchParams.get('sslrootcert')).toBe(expected);
  });
});

function homeWithAuthorities(): string {
  const home = makeFolder();
  mkdirSync(join(home, '.postgresql'));
  writeFileSync(join(home, '.postgresql', 'root.crt'), '');
  return home;
}
