import { addressOf } from './postgres-dump';

describe('The address for pg_dump', () => {
  it.each([
    ['sslmode=no-verify', 'sslmode=require'],
    ['ssl=no-verify', 'sslmode=require'],
    ['ssl=true', 'sslmode=require'],
    ['sslmode=verify-full', 'sslmode=verify-full&sslrootcert=system'],
    ['sslmode=verify-full&sslrootcert=/ca.pem', 'sslmode=verify-full&sslrootcert=%2Fca.pem'],
    ['uselibpqcompat=true&sslmode=verify-ca&sslrootcert=/ca.pem', 'sslmode=verify-ca&sslrootcert=%2Fca.pem'],
    ['target_session_attrs=any', 'target_session_attrs=any'],
  ])('says in the words of libpq what node-postgres is told by %s', (given, expected) => {
    const { address, password } = addressOf(`postgres://petstore:s3cret@db.example/petstore?${given}`);
    const { search } = new URL(address);
    expect(new URLSearchParams(search).toString()).toBe(expected);
    expect([address.includes('s3cret'), password]).toEqual([false, 's3cret']);
  });
});
