import { describeLocation, parseDatabaseUrl } from './database-url';

describe('DATABASE_URL', () => {
  it.each([
    ['sqlite:data/pets.sqlite', { engine: 'sqlite', file: 'data/pets.sqlite' }],
    ['postgres://me@db/pets', { engine: 'postgres', url: 'postgres://me@db/pets' }],
    ['postgresql://me@db/pets', { engine: 'postgres', url: 'postgresql://me@db/pets' }],
  ])('%s names a database', (url, location) => {
    expect(parseDatabaseUrl(url)).toEqual(location);
  });

  it.each(['', 'sqlite:', 'mysql://db/pets', 'postgres:pets'])('%p names none', (url) => {
    expect(() => parseDatabaseUrl(url)).toThrow('DATABASE_URL must be');
  });

  it('is described without user and password', () => {
    expect(describeLocation('postgres://me:secret@db:5433/pets')).not.toMatch(/me|secret/);
  });
});
